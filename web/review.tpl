{{!
  review.tpl: the form for a comment on a product, at /products/PRODUCT/review, and what became of it. A page, or
  without a page around it where a page of the shop shows it.

  PAGE         section, on the page; the values of head.tpl and masthead.tpl lie beside it
  FRAGMENT     section, without a page around it
  EMBED_STYLE_HREF  URL  of embed.css, in the fragment
  PRODUCT      text  the product's name, or its id
  BRAND, IMAGE_HREF  as in products.tpl; of a page; optional
  PRODUCT_HREF URL   the page of its comments
  ACTION       URL   where the form goes

  CLOSED       section, when nobody may write by this form now
    WHY        text  why, and what to do
    WRITE_HREF URL   the shop's page for writers; optional

  FORM         section; the values of review_form.tpl

  SENT         section, when the comment was taken
    WAITS      section, when it waits for a moderator
    COMMENT_HREF  URL  where it stands; when it is published
    OTHERS_HREF  URL  the products of the invitation; where there are several
    LAST       section, where there are no others: the way to the product's comments is the button
    ANONYMOUS  section, when it has no name
    WORDS      section, when it has a title or a text
    RATING_VALUE, RATING_TEXT, SENT_TITLE, SENT_TEXT, SENT_AUTHOR, LANG  text  of the comment

  OWN          section, when the customer has written of the product; WAITS, COMMENT_HREF, OTHERS_HREF and the comment as in SENT
    DONE       text  what became of a change; optional
    OWN_FAULT  text  what is wrong; optional
    REJECTED   section, when it is
      REASON_TEXT  text
    FORM       section, when it may be changed; the values of review_form.tpl, and OPEN, a section, when something is wrong
    ID, SEALED, TICKET  text  of the form that removes it; the last is optional

  REMOVED      section, when it was removed
}}{{#PAGE}}<!doctype html>
<html lang="{{UI}}" dir="{{UI_DIR}}">
<head>
{{>head.tpl}}
<title>{{#SENT}}{{:thanks}} – {{/SENT}}{{:your_comment}}: {{PRODUCT}} – {{SITE}}</title>
</head>
<body>
{{>masthead.tpl}}
<main class="page page-narrow review">
<header class="intro">
<p class="crumb"><a href="{{PRODUCTS_HREF}}" target="_top">{{:products}}</a> <span aria-hidden="true">·</span> <a href="{{PRODUCT_HREF}}" dir="auto">{{PRODUCT}}</a></p>
{{#IMAGE_HREF}}
<img class="product-image" src="{{IMAGE_HREF}}" width="72" height="72" alt="">
{{/IMAGE_HREF}}
{{#SENT}}
<p class="product-brand"><bdi>{{PRODUCT}}</bdi></p>
{{/SENT}}
{{#FORM}}
{{#BRAND}}
<p class="product-brand"><bdi>{{BRAND}}</bdi></p>
{{/BRAND}}
{{/FORM}}
<h1>{{#SENT}}{{:thanks}}{{/SENT}}{{#FORM}}{{:your_comment_on}}{{/FORM}}{{#CLOSED}}{{:your_comment_on}}{{/CLOSED}}{{#OWN}}{{:your_comment_on}}{{/OWN}}{{#REMOVED}}{{:your_comment_on}}{{/REMOVED}}</h1>
</header>
{{/PAGE}}
{{#FRAGMENT}}
<link rel="stylesheet" href="{{EMBED_STYLE_HREF}}">
<section class="quire review" lang="{{UI}}" dir="{{UI_DIR}}" aria-label="{{:your_comment}}">
{{/FRAGMENT}}
{{#CLOSED}}
<p class="told" role="status">{{WHY}}</p>
{{#WRITE_HREF}}
<p class="write-link"><a class="apply" href="{{WRITE_HREF}}" target="_top">{{:write_comment}}</a></p>
{{/WRITE_HREF}}
{{/CLOSED}}
{{#FORM}}
<svg class="sprite" width="0" height="0" aria-hidden="true"><defs><path id="star" d="M10 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L10 14.7l-5 2.65.95-5.6L1.9 7.8l5.6-.8z" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round"/></defs></svg>
{{>review_form.tpl}}
{{/FORM}}
{{#SENT}}
{{#FRAGMENT}}
<h2 class="thanks">{{:thanks}}</h2>
{{/FRAGMENT}}
{{#WAITS}}
<p class="told done" role="status">{{:form_waits}}</p>
{{/WAITS}}
{{#COMMENT_HREF}}
<p class="told done" role="status">{{:form_published}} <a href="{{COMMENT_HREF}}">{{:see_among}}</a></p>
{{/COMMENT_HREF}}
{{>sent_comment.tpl}}
{{#OTHERS_HREF}}
<p class="ways"><a class="apply" href="{{OTHERS_HREF}}" target="_top">{{:review_another}}</a></p>
{{/OTHERS_HREF}}
{{#PAGE}}
<p class="ways"><a{{#LAST}} class="apply"{{/LAST}} href="{{PRODUCT_HREF}}">{{:see_all_comments}}</a> <a href="{{PRODUCTS_HREF}}" target="_top">{{:see_all_products}}</a></p>
{{/PAGE}}
{{/SENT}}
{{#OWN}}
{{#DONE}}
<p class="told done" role="status">{{DONE}}</p>
{{/DONE}}
{{#OWN_FAULT}}
<p class="fault" role="alert">{{OWN_FAULT}}</p>
{{/OWN_FAULT}}
{{#WAITS}}
<p class="told">{{:form_waits}}</p>
{{/WAITS}}
{{#COMMENT_HREF}}
<p class="told">{{:form_published}} <a href="{{COMMENT_HREF}}">{{:see_among}}</a></p>
{{/COMMENT_HREF}}
{{#REJECTED}}
<div class="told"><p>{{:own_rejected}}</p>
{{#REASON_TEXT}}
<p>{{:own_reason}}</p>
{{/REASON_TEXT}}
</div>
{{/REJECTED}}
{{>sent_comment.tpl}}
{{#FORM}}
<details class="way"{{#OPEN}} open{{/OPEN}}>
<summary>{{:own_change}}</summary>
{{>review_form.tpl}}
</details>
{{/FORM}}
<details class="way">
<summary>{{:own_remove}}</summary>
<form class="write" method="post" action="{{ACTION}}">
<input type="hidden" name="form" value="{{SEALED}}">
{{#TICKET}}
<input type="hidden" name="ticket" value="{{TICKET}}">
{{/TICKET}}
<input type="hidden" name="remove" value="{{ID}}">
<p>{{:own_remove_hint}}</p>
{{#FRAGMENT}}
<p class="fault lost" role="alert" hidden>{{:form_lost}}</p>
{{/FRAGMENT}}
<button class="apply" type="submit">{{:own_remove_now}}</button>
</form>
</details>
{{#OTHERS_HREF}}
<p class="ways"><a class="apply" href="{{OTHERS_HREF}}" target="_top">{{:review_another}}</a></p>
{{/OTHERS_HREF}}
{{/OWN}}
{{#REMOVED}}
<p class="told done" role="status">{{:own_removed}}</p>
{{#PAGE}}
<p class="ways"><a class="apply" href="{{PRODUCT_HREF}}">{{:see_all_comments}}</a></p>
{{/PAGE}}
{{/REMOVED}}
{{#PAGE}}
</main>
</body>
</html>
{{/PAGE}}
{{#FRAGMENT}}
</section>
{{/FRAGMENT}}
