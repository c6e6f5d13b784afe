{{!
  products.tpl: the list of products, at /.

  Give every value raw; escaping is done here. "URL": an absolute path, percent-encoded.

  PAGE_TITLE  text  "Products", "Best rated products"
  TOTAL_TEXT  text  "1,240 products", "1 product", "There are no products yet.", "7 products for “lamp”",
                    "Ranked by rating and number of reviews …"
  ABOUT_TEXT  text  how they are ranked; optional: of products that are found
  SOUGHT      section, when products were looked for: the way to all of them
  NONE        section, when none is found
  SPELLING      section, where no name is found
  CASE_DIFFERS  section, where no id is found, whose upper and lower case differ

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

  PRODUCTS  section, when the page shows products
    PRODUCT  section, one for each
      NAME        text  its name, or its id
      INITIAL     text  its first character, for where others have a picture
      BRAND       text  optional
      IMAGE_HREF  URL   its picture, at a host of the shop; optional
      HREF        URL   its page: /products/PRODUCT
      COUNT_TEXT  text  "2,331 reviews", "1 review"
      AVERAGE_TEXT  text  "4.3"; optional
      AVERAGE_PERCENT  text  the average in halves of stars, as percent of 5: "90"; with AVERAGE_TEXT
      RANK        text  "1"; optional: in an order by ratings
      FIVE_TEXT  text  "1,204 with five stars"; optional: in the order by them

  EMPTY       section, when there is no product at all
  SUGGESTED   section, when none is found: the products are the best rated

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
<div class="order-about">
<p{{#NONE}} class="none"{{/NONE}}>{{TOTAL_TEXT}}</p>
{{#SPELLING}}
<p>{{:find_hint}}</p>
{{/SPELLING}}
{{#CASE_DIFFERS}}
<p>{{:case_differs}}</p>
{{/CASE_DIFFERS}}
{{#SOUGHT}}
<p><a href="{{PRODUCTS_HREF}}">{{:see_all_products}}</a></p>
{{/SOUGHT}}
{{#EMPTY}}
<p>{{:no_products_hint}}</p>
{{/EMPTY}}
{{#ABOUT_TEXT}}
<p class="about">{{ABOUT_TEXT}}</p>
{{/ABOUT_TEXT}}
</div>
{{#PRODUCTS}}
{{#SUGGESTED}}
<h2 class="suggested">{{:best_rated_products}}</h2>
<p class="about">{{:about_best_rated}}</p>
{{/SUGGESTED}}
{{>stars.tpl}}
<ul class="products">
{{#PRODUCT}}
<li class="product" data-initial="{{INITIAL}}">
{{#IMAGE_HREF}}
<img class="product-image" src="{{IMAGE_HREF}}" width="72" height="72" alt="" loading="lazy">
{{/IMAGE_HREF}}
<div class="product-text">
<p class="product-line">{{#RANK}}<span class="product-rank">{{RANK}}.</span>{{/RANK}}<a class="product-name" href="{{HREF}}"><bdi>{{NAME}}</bdi></a></p>
<p class="product-figures">{{#AVERAGE_TEXT}}<span class="product-average"><svg class="stars" viewBox="0 0 108 20" aria-hidden="true"><use href="#five" fill="none"/><svg width="{{AVERAGE_PERCENT}}%"><use href="#five"/></svg></svg>{{AVERAGE_TEXT}}<span class="sr"> {{:out_of_five}}</span></span>{{/AVERAGE_TEXT}}<span class="product-count">{{COUNT_TEXT}}</span>{{#FIVE_TEXT}}<span class="product-five">{{FIVE_TEXT}}</span>{{/FIVE_TEXT}}{{#BRAND}}<span class="product-brand"><bdi>{{BRAND}}</bdi></span>{{/BRAND}}</p>
</div>
</li>
{{/PRODUCT}}
</ul>
{{/PRODUCTS}}
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
