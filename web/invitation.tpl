{{!
  invitation.tpl: the products of an invitation, at /review: a star leads to the form, where it is chosen. Those that
  are written of already are the last.

  CLOSED       text  why the link opens nothing, and what to do; without products
  INVITED      section, when there is something to be written
    CUSTOMER   text  the customer's name; optional
    DAY        text  the last day on which the link works: "20 November 2024"
  PRODUCTS     section, else
    PRODUCT    section, one for each
      NAME     text  its name, or its id
      BRAND, IMAGE_HREF  as in products.tpl; optional
      HREF     URL   its form
      STARS    section
        STAR   section, one for each rating, 1 to 5
          STAR_HREF     URL   the form, with this rating
          RATING_LABEL  text  "4 stars"
      DONE     section, in place of the stars, when there is nothing to be written any more
        TOLD   text  "Reviewed", or why
        RATING_VALUE, RATING_TEXT  text  of the comment, where it is to be seen
}}<!doctype html>
<html lang="{{UI}}" dir="{{UI_DIR}}">
<head>
{{>head.tpl}}
<title>{{#CLOSED}}{{:invitation_closed}}{{/CLOSED}}{{#PRODUCTS}}{{:your_products}}{{/PRODUCTS}} – {{SITE}}</title>
</head>
<body>
{{>masthead.tpl}}
<main class="page page-narrow review">
<header class="intro">
<h1>{{#CLOSED}}{{:invitation_closed}}{{/CLOSED}}{{#PRODUCTS}}{{:your_products}}{{/PRODUCTS}}</h1>
{{#INVITED}}
<p class="advice">{{#CUSTOMER}}{{:invited}} {{/CUSTOMER}}{{:invited_until}}</p>
{{/INVITED}}
</header>
{{#CLOSED}}
<p class="told" role="status">{{CLOSED}}</p>
<p class="ways"><a href="{{PRODUCTS_HREF}}">{{:see_all_products}}</a></p>
{{/CLOSED}}
{{#PRODUCTS}}
{{>stars.tpl}}
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
{{#DONE}}
<p class="product-figures">{{#RATING_VALUE}}<svg class="stars" role="img" aria-label="{{:stars_of_five}}"><use href="#stars-{{RATING_VALUE}}"/></svg>{{/RATING_VALUE}}<span>{{TOLD}}</span></p>
{{/DONE}}
{{#STARS}}
<div class="rate-stars">
{{#STAR}}
<a class="rate-star" href="{{STAR_HREF}}"><svg width="32" height="32" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L10 14.7l-5 2.65.95-5.6L1.9 7.8l5.6-.8z" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round"/></svg><i>{{RATING_LABEL}}: {{NAME}}</i></a>
{{/STAR}}
</div>
{{/STARS}}
</div>
</li>
{{/PRODUCT}}
</ul>
{{/PRODUCTS}}
</main>
</body>
</html>
