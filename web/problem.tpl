{{!
  problem.tpl: explains one type of problem, at /problems/SLUG; also the page a browser gets when a
  request fails. For the first leave out ADVICE, DETAIL and all below them; for the second show NOINDEX.

  Give every value raw; escaping is done here. "URL": an absolute path, percent-encoded.

  TITLE   text  "Page out of range"
  ENGLISH  section, when the title is English whatever the page's language is
  STATUS  text  the HTTP status: "404"
  PARAGRAPH  section, one for each paragraph of the explanation
    TEXT  text
  ADVICE  text  what a visitor can do, in the page's language
  OPEN  section, when there is no advice
  DETAIL  text  what was wrong with this request, for developers: English
  PARAMETER  text  the parameter that was wrong
  REQUEST_ID  text
  TYPE_HREF  URL  the page that explains this type: /problems/SLUG
  WAY_HREF  URL  a page that helps, such as the last page of the comments
  WAY_LABEL  text  its name
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
{{#ADVICE}}
<p class="advice">{{ADVICE}}</p>
{{/ADVICE}}
{{#PARAGRAPH}}
<p lang="en" dir="ltr">{{TEXT}}</p>
{{/PARAGRAPH}}
<p class="ways">{{#WAY_HREF}}<a class="apply" href="{{WAY_HREF}}">{{WAY_LABEL}}</a>{{/WAY_HREF}}<a href="{{PRODUCTS_HREF}}" target="_top">{{:all_products}}</a></p>
{{#DETAIL}}
<details class="technical"{{#OPEN}} open{{/OPEN}}>
<summary>{{:technical_details}}</summary>
<div class="technical-body">
<p class="detail" lang="en" dir="ltr">{{DETAIL}}</p>
<dl class="facts">
{{#PARAMETER}}
<dt>{{:parameter}}</dt><dd><code dir="ltr">{{PARAMETER}}</code></dd>
{{/PARAMETER}}
<dt>{{:request}}</dt><dd><code dir="ltr">{{REQUEST_ID}}</code></dd>
</dl>
<p><a href="{{TYPE_HREF}}" target="_top">{{:about_problem}}</a></p>
</div>
</details>
{{/DETAIL}}
</main>
</body>
</html>
