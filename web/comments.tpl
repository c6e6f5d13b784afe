{{!
  comments.tpl: the page of a product's comments, at /products/PRODUCT, and its fragment, which a page of the
  shop shows: the same without a page around it.

  Give every value raw; escaping is done here. "URL" marks a value that fills a whole href or action:
  give it as an absolute path (or http, https), percent-encoded, with a plain ampersand between parameters.
  What surrounds a text is left out with it, if the text is empty.

  PAGE         section, on the page; the values of head.tpl and masthead.tpl lie beside it
  FRAGMENT     section, in the fragment
    JSON_LD    JSON  structured data; optional
  EMBED_STYLE_HREF  URL  of embed.css; in the fragment
  WRITE_HREF   URL   the shop's page for writers, or the form, where anyone may write. Its link is in SUMMARY, or in NONE
  NO_SUMMARY   section, where there is neither SUMMARY nor NONE

  PAGE_TITLE   text  "Reviews of 42 – Size: L – page 3": another for each filter, sort and page
  PRODUCT      text  the product's name
  BRAND        text  its brand; optional
  IMAGE_HREF   URL   its picture, at a host of the shop; optional
  PRODUCT_HREF URL   the shop's own page of the product; optional
  TOTAL_TEXT   text  all its comments, under no filter: "2,331 reviews", "1 review". Used in SUMMARY
  MATCH_TEXT   text  the heading of the list: "611 of 2,331 reviews" under a filter, else "All reviews"
  SELF_HREF    URL   this page without a query
  CLEAR_HREF   URL   this page without the filter; keep sort and limit. Used in ACTIVE and EMPTY

  PAGE_TEXT  text  "Page 3 of 117", "Page 1,204 of 50,000"; when the page's number is known and there is more than one page
  NUMBERS_MISSING  section, if a page index is configured but gives no numbers: says that there are
                   no page numbers right now. PAGE_TEXT and PAGER's NUMBERS are then left out

  ALONE_HREF  URL  on the page of one comment: the page where it stands among the others

  BRIEF  section, where the visitor has chosen conditions: on a phone the list begins sooner
  OWN_LANGUAGE  section, where the shop begins with the visitor's languages; CLEAR_HREF shows all
  ACTIVE_COUNT  text  how many conditions are chosen: "2"; when any condition of the filter is chosen
  CHOSEN  section, the chosen conditions above the list
    CHIP  section, one for each
      LABEL  text  "Size: L", "Helpful: at least 3"
      HREF   URL   this page without the condition; keeps the others, limit and sort

  AS_OF_ISO   text  "2024-11-20T12:01Z"; if the numbers in SUMMARY may be behind the comments: the time up to which they hold
  AS_OF_TEXT  text  "20 November 2024, 12:01 UTC"
  AS_OF_UNKNOWN  section, instead of AS_OF_ISO, if that time is not known: many comments may be
                 missing

  SEARCH  section, where words can be asked for, beside FILTERS, whose form sends the field
    WORDS  text  as asked for; empty when none are

  TOPICS  section, when comments have topics: the most frequent
    TOPICS_LABEL  text  "Topics"
    TOPIC  section, one for each
      LABEL, COUNT  text  "gift", "1,204"
      HREF     URL   this page with the topic added to the filter, or taken from it when chosen
      CURRENT  section, when chosen

  NONE   section, when the product has no comments; used in two places
    FIND  section, on the page of a product that nobody has told of: see find.tpl
  EMPTY  section, when the product has comments, but none under this filter
    EMPTY_TEXT   text  "No review matches these filters.", "No review has all of these words."
    WORDS_ALONE  section, when words were looked for, and each alone finds some
      EASIER  section, one for each of these
        LABEL, COUNT  text  "zipper", "1,204"
        HREF  URL   this page with that word alone
    SPELLING  section, when words were looked for, and none of them is anywhere
    WITHOUT  section, when one condition of several hides all, in which
      EASIER  section, one for each such condition
        LABEL, COUNT  text  "Without 1 star", "12"
        HREF  URL   this page without it

  COMMENT  section, one for each comment of the page: comment.tpl. SUMMARY, FILTERS, PICKS, PAGER and
  PLAN are in the template of their name.
}}{{#PAGE}}<!doctype html>
<html lang="{{UI}}" dir="{{UI_DIR}}">
<head>
{{>head.tpl}}
<title>{{PAGE_TITLE}} – {{SITE}}</title>
</head>
<body>
{{/PAGE}}
{{#FRAGMENT}}
<link rel="stylesheet" href="{{EMBED_STYLE_HREF}}">
{{#JSON_LD}}
<script type="application/ld+json">{{JSON_LD}}</script>
{{/JSON_LD}}
<section class="quire page" lang="{{UI}}" dir="{{UI_DIR}}" aria-label="{{:comments_on}}">
{{/FRAGMENT}}
{{>stars.tpl}}
{{#PAGE}}
<a class="skip" href="#list">{{:skip}}</a>
{{>masthead.tpl}}
<main class="page">
{{/PAGE}}
<header class="intro{{#BRIEF}} brief{{/BRIEF}}">
{{#PAGE}}
<p class="crumb"><a href="{{PRODUCTS_HREF}}" target="_top">{{:products}}</a>{{#PRODUCT_HREF}} <span aria-hidden="true">·</span> <a href="{{PRODUCT_HREF}}" target="_top">{{:view_product}}</a>{{/PRODUCT_HREF}}</p>
{{#IMAGE_HREF}}
<img class="product-image" src="{{IMAGE_HREF}}" width="72" height="72" alt="">
{{/IMAGE_HREF}}
{{#BRAND}}
<p class="product-brand"><bdi>{{BRAND}}</bdi></p>
{{/BRAND}}
<h1>{{:comments_on}}</h1>
{{/PAGE}}
{{>summary.tpl}}
{{#AS_OF_ISO}}
<p class="as-of"><time datetime="{{AS_OF_ISO}}">{{:as_of}}</time></p>
{{/AS_OF_ISO}}
{{#AS_OF_UNKNOWN}}
<p class="as-of">{{:ratings_incomplete}}</p>
{{/AS_OF_UNKNOWN}}
{{#NO_SUMMARY}}
{{#WRITE_HREF}}
<p class="write-link"><a class="apply"{{#FRAGMENT}} part="write"{{/FRAGMENT}} href="{{WRITE_HREF}}" target="_top">{{:write_comment}}</a></p>
{{/WRITE_HREF}}
{{/NO_SUMMARY}}
</header>
<div class="columns">
{{>filters.tpl}}
<div class="list">
{{#FRAGMENT}}
<p class="fault lost" part="lost" role="alert" hidden>{{:lost}} <button class="go" type="button">{{:try_again}}</button></p>
{{/FRAGMENT}}
{{#SEARCH}}
<div class="search"{{#FRAGMENT}} part="search"{{/FRAGMENT}} role="search">
<input id="q" type="search" name="q" form="filters" value="{{WORDS}}" maxlength="200" placeholder="{{:search_comments}}" aria-label="{{:search_comments}}">
<button class="go" form="filters">{{:find}}</button>
</div>
{{/SEARCH}}
{{>picks.tpl}}
{{#TOPICS}}
<nav class="topics" aria-label="{{TOPICS_LABEL}}">
{{#TOPIC}}
<a rel="nofollow" href="{{HREF}}"{{#CURRENT}} aria-current="true"{{/CURRENT}}>{{LABEL}} <small>{{COUNT}}</small></a>
{{/TOPIC}}
</nav>
{{/TOPICS}}
<section class="results"{{#FRAGMENT}} part="list"{{/FRAGMENT}} id="list" tabindex="-1" aria-labelledby="list-heading">
<div class="results-head{{#NONE}} sr{{/NONE}}">
<h2 id="list-heading">{{MATCH_TEXT}}</h2>
{{#PAGE_TEXT}}
<p class="page-text">{{PAGE_TEXT}}</p>
{{/PAGE_TEXT}}
{{#NUMBERS_MISSING}}
<p class="page-text">{{:numbers_missing}}</p>
{{/NUMBERS_MISSING}}
{{#ACTIVE_COUNT}}
<a class="clear" href="{{CLEAR_HREF}}">{{:clear_filters}}</a>
{{/ACTIVE_COUNT}}
{{#ALONE_HREF}}
<a class="see-all" href="{{ALONE_HREF}}">{{:see_among}}</a>
{{/ALONE_HREF}}
</div>
{{#OWN_LANGUAGE}}
<p class="own-language">{{:own_language}} <a href="{{CLEAR_HREF}}">{{:all_languages}}</a></p>
{{/OWN_LANGUAGE}}
{{#CHOSEN}}
<ul class="chips" aria-label="{{:chosen_filters}}">
{{#CHIP}}
<li><a class="chip" rel="nofollow" href="{{HREF}}"><span class="sr">{{:remove}} </span><bdi>{{LABEL}}</bdi><svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M4 4l8 8M12 4l-8 8"/></svg></a></li>
{{/CHIP}}
</ul>
{{/CHOSEN}}
{{#COMMENT}}
{{>comment.tpl}}
{{/COMMENT}}
{{#EMPTY}}
<div class="empty">
<p class="empty-title">{{EMPTY_TEXT}}</p>
{{#WORDS_ALONE}}
<p id="each-word">{{:each_word_alone}}</p>
<nav class="topics" aria-labelledby="each-word">
{{#EASIER}}
<a rel="nofollow" href="{{HREF}}"><bdi>{{LABEL}}</bdi> <small>{{COUNT}}</small></a>
{{/EASIER}}
</nav>
{{/WORDS_ALONE}}
{{#WITHOUT}}
<p id="fewer">{{:fewer_filters}}</p>
<nav class="topics" aria-labelledby="fewer">
{{#EASIER}}
<a rel="nofollow" href="{{HREF}}"><bdi>{{LABEL}}</bdi> <small>{{COUNT}}</small></a>
{{/EASIER}}
</nav>
{{/WITHOUT}}
{{#SPELLING}}
<p>{{:find_hint}}</p>
{{/SPELLING}}
<p><a href="{{CLEAR_HREF}}">{{:see_all_comments}}</a></p>
</div>
{{/EMPTY}}
{{#NONE}}
<div class="empty">
<p class="empty-title">{{:no_comments_yet}}</p>
{{#WRITE_HREF}}
<p>{{:invites_first}}</p>
<p class="write-link"><a class="apply"{{#FRAGMENT}} part="write"{{/FRAGMENT}} href="{{WRITE_HREF}}" target="_top">{{:write_comment}}</a></p>
{{/WRITE_HREF}}
{{#PAGE}}
{{#FIND}}
{{>find.tpl}}
{{/FIND}}
<p><a href="{{PRODUCTS_HREF}}" target="_top">{{:see_all_products}}</a></p>
{{/PAGE}}
</div>
{{/NONE}}
{{>pager.tpl}}
{{>plan.tpl}}
</section>
</div>
</div>
{{#PAGE}}
</main>
</body>
</html>
{{/PAGE}}
{{#FRAGMENT}}
</section>
{{/FRAGMENT}}
