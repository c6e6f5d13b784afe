{{!
  problem.tpl: explains one type of problem, at /problems/SLUG; also the page a browser gets when a
  request fails. The first needs TITLE, STATUS, EXPLAINED, PARAGRAPH and NO_PRODUCT alone; the second shows NOINDEX.

  Give every value raw; escaping is done here. "URL": an absolute path, percent-encoded.

  TITLE   text  "Page out of range"
  ENGLISH  section, when the title is English whatever the page's language is
  EXPLAINED  section, when the page explains a type
  PARAGRAPH  section, one for each paragraph of the explanation
    TEXT  text
  ADVICE  text  what a visitor can do, in the page's language
  FIND  section, when nothing is at the address: see find.tpl
  OPEN  section, when there is no advice
  DETAIL  text  what was wrong with this request, for developers: English
  STATUS  text  the HTTP status: "404"
  PARAMETER  text  the parameter that was wrong
  REQUEST_ID  text
  TYPE_HREF  URL  the page that explains this type: /problems/SLUG
  PRODUCT   text  the name of the product that the page is of; optional
  PRODUCT_HREF  URL  its page
  NO_PRODUCT  section, when it is not known
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
<main class="page problem">
{{#ADVICE}}
<svg class="drawing" viewBox="6 6 228 168" aria-hidden="true" stroke-linecap="round" stroke-linejoin="round">
<path d="M24 8h192a16 16 0 0 1 16 16v96a16 16 0 0 1-16 16H112l-36 36v-36H24a16 16 0 0 1-16-16V24A16 16 0 0 1 24 8z"/>
<path class="drawing-mark" d="M96 58a24 24 0 1 1 36 21c-8 5-12 9-12 17M120 112v1"/>
</svg>
{{/ADVICE}}
<header class="intro">
{{#PRODUCT}}
<p class="crumb"><a href="{{PRODUCTS_HREF}}" target="_top">{{:products}}</a> <span aria-hidden="true">·</span> <a href="{{PRODUCT_HREF}}" dir="auto">{{PRODUCT}}</a></p>
{{/PRODUCT}}
{{#EXPLAINED}}
<p class="status">{{:status}} {{STATUS}}</p>
{{/EXPLAINED}}
<h1{{#ENGLISH}} lang="en" dir="ltr"{{/ENGLISH}}>{{TITLE}}</h1>
</header>
{{#ADVICE}}
<p class="advice">{{ADVICE}}</p>
{{/ADVICE}}
{{#PARAGRAPH}}
<p lang="en" dir="ltr">{{TEXT}}</p>
{{/PARAGRAPH}}
{{#FIND}}
{{>find.tpl}}
{{/FIND}}
<p class="ways">{{#WAY_HREF}}<a class="apply" href="{{WAY_HREF}}">{{WAY_LABEL}}</a>{{/WAY_HREF}}{{#PRODUCT}}<a href="{{PRODUCT_HREF}}">{{:see_all_comments}}</a>{{/PRODUCT}}{{#NO_PRODUCT}}<a href="{{PRODUCTS_HREF}}" target="_top">{{:all_products}}</a>{{/NO_PRODUCT}}</p>
{{#DETAIL}}
<details class="technical"{{#OPEN}} open{{/OPEN}}>
<summary>{{:technical_details}}</summary>
<div class="technical-body">
<p class="detail" lang="en" dir="ltr">{{DETAIL}}</p>
<dl class="facts">
<dt>{{:status}}</dt><dd><code dir="ltr">{{STATUS}}</code></dd>
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
