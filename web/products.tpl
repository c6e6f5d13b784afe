{{!
  products.tpl: the list of products, at /.

  Give every value raw; escaping is done here. "URL": an absolute path, percent-encoded.

  PAGE_TITLE  text  "Products", "Best rated products"
  TOTAL_TEXT  text  "1,240 products", "1 product", "No products yet"

  FIND  section, a field to find products: see find.tpl

  AS_OF_ISO   text  "2024-11-20T12:01Z"; if their numbers may be behind the comments: the time up to which they hold
  AS_OF_TEXT  text  "20 November 2024, 12:01 UTC"
  AS_OF_UNKNOWN  section, instead of AS_OF_ISO, if that time is not known: many comments may be
                 missing

  ORDERS  section, optional, when there is more than one order to choose
    ORDER    section, one for each
      LABEL    text  "By name", "Most five-star ratings", "Best rated"
      HREF     URL   this list in that order, from its start
      CURRENT  section, when it is the present one

  PRODUCTS  section, when there is any product on this page
    PRODUCT  section, one for each
      NAME        text  its name, or its id
      INITIAL     text  its first character, for where others have a picture
      BRAND       text  optional
      IMAGE_HREF  URL   its picture, at a host of the shop; optional
      HREF        URL   its page: /products/PRODUCT
      COUNT_TEXT  text  "2,331 comments", "1 comment"
      AVERAGE_TEXT  text  "4.3"; optional
      FIVE_TEXT  text  "1,204 with five stars"; optional: for the order by them

  EMPTY       section, when there is no product at all
  EMPTY_FIND  section, when none is found
    CASE_DIFFERS  section, where upper and lower case differ: in ids, of many products

  PAGER  section, when there is a previous or a next page
    START_HREF     URL   the first page, where the previous one is not known
    NEXT_HREF      URL
}}<!doctype html>
<html lang="{{UI}}" dir="{{UI_DIR}}">
<head>
{{>head.tpl}}
<title>{{PAGE_TITLE}} – {{SITE}}</title>
</head>
<body>
{{>masthead.tpl}}
<main class="page">
<div class="list-head">
<header class="intro">
<h1>{{:products}}</h1>
<p class="lede">{{TOTAL_TEXT}}</p>
{{#AS_OF_ISO}}
<p class="as-of"><time datetime="{{AS_OF_ISO}}">{{:as_of}}</time></p>
{{/AS_OF_ISO}}
{{#AS_OF_UNKNOWN}}
<p class="as-of">{{:ratings_incomplete}}</p>
{{/AS_OF_UNKNOWN}}
</header>
{{#FIND}}
{{>find.tpl}}
{{/FIND}}
</div>
{{#ORDERS}}
<nav class="orders" aria-label="{{:order_of_products}}">
<ul>
{{#ORDER}}
<li><a class="order" href="{{HREF}}"{{#CURRENT}} aria-current="true"{{/CURRENT}}>{{LABEL}}</a></li>
{{/ORDER}}
</ul>
</nav>
{{/ORDERS}}
{{#PRODUCTS}}
<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs><path id="star" d="M10 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L10 14.7l-5 2.65.95-5.6L1.9 7.8l5.6-.8z" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round"/></defs></svg>
<ul class="products">
{{#PRODUCT}}
<li class="product" data-initial="{{INITIAL}}">
<p>{{#IMAGE_HREF}}<img class="product-image" src="{{IMAGE_HREF}}" width="64" height="64" alt="" loading="lazy">{{/IMAGE_HREF}}<a class="product-name" href="{{HREF}}"><bdi>{{NAME}}</bdi></a>{{#BRAND}} <bdi class="product-brand">{{BRAND}}</bdi>{{/BRAND}}</p>
<p class="product-figures">{{#AVERAGE_TEXT}}<span class="product-average"><svg class="stars" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false" fill="currentColor"><use href="#star"/></svg>{{AVERAGE_TEXT}}<span class="sr"> {{:out_of_five}}, </span></span>{{/AVERAGE_TEXT}}<span class="product-count">{{COUNT_TEXT}}</span>{{#FIVE_TEXT}}<span class="product-count">{{FIVE_TEXT}}</span>{{/FIVE_TEXT}}</p>
</li>
{{/PRODUCT}}
</ul>
{{/PRODUCTS}}
{{#EMPTY}}
<div class="empty">
<p class="empty-title">{{:no_products}}</p>
<p>{{:no_products_hint}}</p>
</div>
{{/EMPTY}}
{{#EMPTY_FIND}}
<div class="empty">
<p class="empty-title">{{:no_such_product}}</p>
<p>{{#CASE_DIFFERS}}{{:case_differs}} {{/CASE_DIFFERS}}<a href="{{PRODUCTS_HREF}}">{{:see_all_products}}</a></p>
</div>
{{/EMPTY_FIND}}
{{#PAGER}}
<nav class="pager" aria-label="{{:pages}}">
<div class="steps">
<a class="step step-previous"{{#START_HREF}} rel="prev" href="{{START_HREF}}"{{/START_HREF}}>{{:previous}}</a>
<a class="step step-next"{{#NEXT_HREF}} rel="next" href="{{NEXT_HREF}}"{{/NEXT_HREF}}>{{:next}}</a>
</div>
</nav>
{{/PAGER}}
</main>
</body>
</html>
