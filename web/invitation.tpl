{{!
  invitation.tpl: the products of an invitation, at /review: a star leads to the form, where it is chosen.

  CLOSED       text  why the link opens nothing, and what to do; without products
  PRODUCTS     section, else
    PRODUCT    section, one for each
      NAME     text  its name, or its id
      BRAND, IMAGE_HREF  as in products.tpl; optional
      HREF     URL   its form
      STAR     section, one for each rating, 1 to 5
        STAR_HREF     URL   the form, with this rating
        RATING_LABEL  text  "4 stars"
}}<!doctype html>
<html lang="{{UI}}" dir="{{UI_DIR}}">
<head>
{{>head.tpl}}
<title>{{:your_products}} – {{SITE}}</title>
</head>
<body>
{{>masthead.tpl}}
<main class="page page-narrow review">
<header class="intro">
<h1>{{:your_products}}</h1>
</header>
{{#CLOSED}}
<p class="told" role="status">{{CLOSED}}</p>
{{/CLOSED}}
{{#PRODUCTS}}
<ul class="products invited">
{{#PRODUCT}}
<li class="product">
{{#IMAGE_HREF}}
<img class="product-image" src="{{IMAGE_HREF}}" width="72" height="72" alt="" loading="lazy">
{{/IMAGE_HREF}}
<div class="product-text">
<p class="product-line"><a class="product-name" href="{{HREF}}"><bdi>{{NAME}}</bdi></a></p>
{{#BRAND}}
<p class="product-brand"><bdi>{{BRAND}}</bdi></p>
{{/BRAND}}
<div class="rate-stars">
{{#STAR}}
<a class="rate-star" href="{{STAR_HREF}}"><svg width="32" height="32" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M10 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L10 14.7l-5 2.65.95-5.6L1.9 7.8l5.6-.8z" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round"/></svg><span class="sr">{{RATING_LABEL}}</span></a>
{{/STAR}}
</div>
</div>
</li>
{{/PRODUCT}}
</ul>
{{/PRODUCTS}}
</main>
</body>
</html>
