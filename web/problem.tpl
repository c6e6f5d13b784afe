{{!
  problem.tpl: explains one type of problem, at /problems/SLUG; also the page a browser gets when a
  request fails. For the first leave DETAIL, PARAMETER, REQUEST_ID and TYPE_HREF out; for the second show
  NOINDEX.

  Give every value raw; escaping is done here. "URL": an absolute path, percent-encoded.

  TITLE   text  "Page out of range"
  ENGLISH  section, when the title is English whatever the page's language is
  STATUS  text  the HTTP status: "404"
  PARAGRAPH  section, one for each paragraph of the explanation
    TEXT  text
  DETAIL  text  what was wrong with this request, and what to do
  PARAMETER  text  the parameter that was wrong
  REQUEST_ID  text
  TYPE_HREF  URL  the page that explains this type: /problems/SLUG
  LAST_HREF  URL  the last page of the comments, where the request asked for one behind it
}}<!doctype html>
<html lang="{{UI}}" dir="{{UI_DIR}}">
<head>
{{>head.tpl}}
<title>{{TITLE}} – {{SITE}}</title>
</head>
<body>
{{>masthead.tpl}}
<main class="page page-narrow problem">
<header class="intro">
<p class="status">{{:status}}</p>
<h1{{#ENGLISH}} lang="en" dir="ltr"{{/ENGLISH}}>{{TITLE}}</h1>
</header>
{{#DETAIL}}
<p class="detail" lang="en" dir="ltr">{{DETAIL}}</p>
{{/DETAIL}}
{{#PARAGRAPH}}
<p lang="en" dir="ltr">{{TEXT}}</p>
{{/PARAGRAPH}}
{{#PARAMETER}}
<dl class="facts"><dt>{{:parameter}}</dt><dd><code>{{PARAMETER}}</code></dd></dl>
{{/PARAMETER}}
{{#REQUEST_ID}}
<dl class="facts"><dt>{{:request}}</dt><dd><code>{{REQUEST_ID}}</code></dd></dl>
{{/REQUEST_ID}}
<p class="ways">{{#LAST_HREF}}<a href="{{LAST_HREF}}">{{:last_page}}</a>{{/LAST_HREF}}{{#TYPE_HREF}}<a href="{{TYPE_HREF}}" target="_top">{{:about_problem}}</a>{{/TYPE_HREF}}<a href="{{PRODUCTS_HREF}}" target="_top">{{:all_products}}</a></p>
</main>
</body>
</html>
