{{%AUTOESCAPE context="HTML"}}
{{!
  comments.tpl: the page of a product's comments, at /products/PRODUCT.

  Give every value raw; escaping is done here. "URL" marks a value that fills a whole href or action:
  give it as an absolute path (or http, https), percent-encoded, with a plain ampersand between parameters.
  A section marked "with X" is best filled by SetValueAndShowSection(X, value, SECTION), which shows it
  only when the value is not empty.

  HEAD      include of head.tpl
  MASTHEAD  include of masthead.tpl

  PRODUCT      text  the product's id
  TOTAL_TEXT   text  all its comments, under no filter: "2,331 comments", "1 comment", "No comments yet"
  MATCH_TEXT   text  the heading of the list: "611 of 2,331 comments" under a filter, else "All comments";
                     "Comments" when there are none at all
  SELF_HREF    URL   this page without a query
  CLEAR_HREF   URL   this page without the filter; keep sort and limit. Used in ACTIVE and EMPTY_FILTER

  ACTIVE  section, when any rating or language is chosen
    ACTIVE_COUNT  text  how many values are chosen: "2"

  FILTERS  section, the filter form; leave it out when the product has no comments
    HAS_LIMIT  section with LIMIT, only when the limit is not the default
      LIMIT  text  "50"
    RATING  section, one for each rating, 5 to 1
      VALUE    text  "5"; a digit 1 to 5, also names the drawing of the stars
      LABEL    text  "5 stars", "1 star"
      COUNT    text  "1,204"
      CHECKED  section, when chosen
      ZERO     section, when the count is zero
    LANGUAGES  section, when there is any language to choose
      LANGUAGE  section, one for each, in the order to be shown
        VALUE    text  "en", "und"
        LABEL    text  "English"; the tag itself where no name is known; "Not stated" for und
        COUNT    text
        CHECKED  section, when chosen
        ZERO     section, when the count is zero
    SORT  section, one for each order offered; the default first
      VALUE     text  "-created_at", "created_at"
      LABEL     text  "Newest first", "Oldest first"
      SELECTED  section, when it is the present one

  COMMENT  section, one for each comment of the page
    ID            text  the comment's id; the article's anchor is "c-" and this
    RATING_VALUE  text  "4"; a digit 1 to 5
    CREATED_ISO   text  "2024-11-20T12:01:00.123Z"
    CREATED_TEXT  text  "20 November 2024"
    HAS_TITLE     section with TITLE
      TITLE  text
    HAS_TEXT      section with TEXT
      TEXT   text  newlines are kept
    HAS_AUTHOR    section with AUTHOR
      AUTHOR text
    ANONYMOUS     section, when the author is empty
    HAS_LANG      section with LANG, only when the language is not und
      LANG   text  "en"; becomes the lang attribute of title and text
    HAS_LANGUAGE_LABEL  section with LANGUAGE_LABEL; leave it out for und
      LANGUAGE_LABEL  text  "English"

  EMPTY_PRODUCT  section, when the product has no comments at all
  EMPTY_FILTER   section, when it has some, but none under this filter

  PAGER  section, when there is a previous or a next page
    HAS_PREVIOUS  section with PREVIOUS_HREF
      PREVIOUS_HREF  URL
    HAS_NEXT      section with NEXT_HREF
      NEXT_HREF      URL

  PLAN  section, how the page was found
    SUMMARY         text  the plan's line
    INDEX           text  "byLangAndRating"
    LIST            section, one for each list read
      LIST_KEY      text  "PRODUCT#42/en/5"
      HAS_START     section with START_KEY; leave it out when the list is read from its edge
        START_KEY   text  the key it resumes from, in one line
    SKIPPED         section, when any list was skipped
      SKIPPED_LIST  section, one for each
        LIST_KEY    text
    HAS_RESIDUAL    section with RESIDUAL
      RESIDUAL      text  "rating in 1, 5"
    NO_RESIDUAL     section, when there is none
    ENTRIES_READ    text  "21"
    DISCARDED       text  "1"
    REQUESTS        text  "2"
    ESTIMATED_COST  text  "1.0"
    HAS_CONSUMED    section with CONSUMED
      CONSUMED      text  consumed capacity, where the store tells it: "1.0"
    TIME_US         text  "312"
    ALTERNATIVES    section, when the plan beat any
      ALTERNATIVE   section, one for each
        SUMMARY         text
        ESTIMATED_COST  text
    HAS_JSON        section with JSON_HREF
      JSON_HREF     URL   this page in the JSON interface, with explain=true
}}<!doctype html>
<html lang="en">
<head>
{{>HEAD}}
<title>Comments on {{PRODUCT}} – Quire</title>
</head>
<body>
<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">
<defs>
<path id="star" d="M10 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L10 14.7l-5 2.65.95-5.6L1.9 7.8l5.6-.8z" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round"/>
<symbol id="stars-1" viewBox="0 0 108 20"><g fill="currentColor"><use href="#star"/></g><g fill="none"><use href="#star" x="22"/><use href="#star" x="44"/><use href="#star" x="66"/><use href="#star" x="88"/></g></symbol>
<symbol id="stars-2" viewBox="0 0 108 20"><g fill="currentColor"><use href="#star"/><use href="#star" x="22"/></g><g fill="none"><use href="#star" x="44"/><use href="#star" x="66"/><use href="#star" x="88"/></g></symbol>
<symbol id="stars-3" viewBox="0 0 108 20"><g fill="currentColor"><use href="#star"/><use href="#star" x="22"/><use href="#star" x="44"/></g><g fill="none"><use href="#star" x="66"/><use href="#star" x="88"/></g></symbol>
<symbol id="stars-4" viewBox="0 0 108 20"><g fill="currentColor"><use href="#star"/><use href="#star" x="22"/><use href="#star" x="44"/><use href="#star" x="66"/></g><g fill="none"><use href="#star" x="88"/></g></symbol>
<symbol id="stars-5" viewBox="0 0 108 20"><g fill="currentColor"><use href="#star"/><use href="#star" x="22"/><use href="#star" x="44"/><use href="#star" x="66"/><use href="#star" x="88"/></g></symbol>
</defs>
</svg>
<a class="skip" href="#list">Skip to the comments</a>
{{>MASTHEAD}}
<main class="page">
<header class="intro">
<p class="crumb"><a href="/">Products</a></p>
<h1>Comments on <bdi>{{PRODUCT}}</bdi></h1>
<p class="lede">{{TOTAL_TEXT}}</p>
</header>
<div class="columns">
{{#FILTERS}}
<div class="side">
<input class="reveal" type="checkbox" id="reveal" autocomplete="off">
<label class="reveal-label" for="reveal">Filter and sort{{#ACTIVE}}<span class="badge">{{ACTIVE_COUNT}}<span class="sr"> chosen</span></span>{{/ACTIVE}}</label>
<form class="filters" id="filters" method="get" action="{{SELF_HREF}}" autocomplete="off" aria-label="Filter and sort">
{{#HAS_LIMIT}}
<input type="hidden" name="limit" value="{{LIMIT}}">
{{/HAS_LIMIT}}
<fieldset class="facet">
<legend>Rating</legend>
{{#RATING}}
<label class="option{{#ZERO}} option-zero{{/ZERO}}"><input type="checkbox" name="rating" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><span class="option-label"><svg class="stars" width="86" height="16" aria-hidden="true" focusable="false"><use href="#stars-{{VALUE}}"/></svg><span class="sr">{{LABEL}}</span></span><span class="option-count">{{COUNT}}<span class="sr"> comments</span></span></label>
{{/RATING}}
</fieldset>
{{#LANGUAGES}}
<fieldset class="facet">
<legend>Language</legend>
<div class="options-long">
{{#LANGUAGE}}
<label class="option{{#ZERO}} option-zero{{/ZERO}}"><input type="checkbox" name="language" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><span class="option-label" dir="auto">{{LABEL}}</span><span class="option-count">{{COUNT}}<span class="sr"> comments</span></span></label>
{{/LANGUAGE}}
</div>
</fieldset>
{{/LANGUAGES}}
<div class="facet">
<label class="facet-name" for="sort">Sort by</label>
<select id="sort" name="sort">
{{#SORT}}
<option value="{{VALUE}}"{{#SELECTED}} selected{{/SELECTED}}>{{LABEL}}</option>
{{/SORT}}
</select>
</div>
<div class="actions">
<button class="apply" type="submit">Apply</button>
{{#ACTIVE}}
<a class="clear" href="{{CLEAR_HREF}}">Clear filters</a>
{{/ACTIVE}}
</div>
<p class="hint">The list follows each choice.</p>
</form>
</div>
{{/FILTERS}}
<section class="results" id="list" tabindex="-1" aria-labelledby="list-heading">
<div class="results-head">
<h2 id="list-heading">{{MATCH_TEXT}}</h2>
{{#ACTIVE}}
<a class="clear" href="{{CLEAR_HREF}}">Clear filters</a>
{{/ACTIVE}}
</div>
{{#COMMENT}}
<article class="comment" id="c-{{ID}}" data-comment="{{ID}}">
<p class="comment-top"><svg class="stars" width="108" height="20" role="img" aria-label="{{RATING_VALUE}} out of 5 stars"><use href="#stars-{{RATING_VALUE}}"/></svg><time datetime="{{CREATED_ISO}}">{{CREATED_TEXT}}</time></p>
{{#HAS_TITLE}}
<h3 class="comment-title" dir="auto"{{#HAS_LANG}} lang="{{LANG}}"{{/HAS_LANG}}>{{TITLE}}</h3>
{{/HAS_TITLE}}
{{#HAS_TEXT}}
<div class="comment-text" dir="auto"{{#HAS_LANG}} lang="{{LANG}}"{{/HAS_LANG}}>{{TEXT:pre_escape}}</div>
{{/HAS_TEXT}}
<p class="comment-by">{{#HAS_AUTHOR}}<bdi class="author" dir="auto">{{AUTHOR}}</bdi>{{/HAS_AUTHOR}}{{#ANONYMOUS}}<span class="author">Anonymous</span>{{/ANONYMOUS}}{{#HAS_LANGUAGE_LABEL}}<span class="language"><span class="sr">, in </span>{{LANGUAGE_LABEL}}</span>{{/HAS_LANGUAGE_LABEL}}</p>
</article>
{{/COMMENT}}
{{#EMPTY_PRODUCT}}
<div class="empty">
<p class="empty-title">Nobody has written about this product yet.</p>
<p>Comments will appear here as soon as there are any.</p>
</div>
{{/EMPTY_PRODUCT}}
{{#EMPTY_FILTER}}
<div class="empty">
<p class="empty-title">No comment matches these filters.</p>
<p>Choose fewer, or <a href="{{CLEAR_HREF}}">see all comments</a>.</p>
</div>
{{/EMPTY_FILTER}}
{{#PAGER}}
<nav class="pager" aria-label="Pages">
<a class="step step-previous"{{#HAS_PREVIOUS}} rel="prev" href="{{PREVIOUS_HREF}}"{{/HAS_PREVIOUS}}><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M10 3L5 8l5 5"/></svg>Previous</a>
<a class="step step-next"{{#HAS_NEXT}} rel="next" href="{{NEXT_HREF}}"{{/HAS_NEXT}}>Next<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M6 3l5 5-5 5"/></svg></a>
</nav>
{{/PAGER}}
{{#PLAN}}
<details class="plan">
<summary>How this page was found</summary>
<div class="plan-body">
<p class="plan-summary"><code>{{SUMMARY}}</code></p>
<dl class="figures">
<div><dt>Entries read</dt><dd>{{ENTRIES_READ}}</dd></div>
<div><dt>Discarded</dt><dd>{{DISCARDED}}</dd></div>
<div><dt>Requests</dt><dd>{{REQUESTS}}</dd></div>
<div><dt>Estimated cost</dt><dd>{{ESTIMATED_COST}}</dd></div>
{{#HAS_CONSUMED}}
<div><dt>Consumed</dt><dd>{{CONSUMED}}</dd></div>
{{/HAS_CONSUMED}}
<div><dt>Time</dt><dd>{{TIME_US}} µs</dd></div>
</dl>
<dl class="facts">
<dt>Index</dt>
<dd><code>{{INDEX}}</code></dd>
<dt>Lists read</dt>
<dd>
<ul>
{{#LIST}}
<li><code>{{LIST_KEY}}</code>{{#HAS_START}}<span class="start">from <code>{{START_KEY}}</code></span>{{/HAS_START}}</li>
{{/LIST}}
</ul>
</dd>
{{#SKIPPED}}
<dt>Lists skipped</dt>
<dd>
<ul>
{{#SKIPPED_LIST}}
<li><code>{{LIST_KEY}}</code></li>
{{/SKIPPED_LIST}}
</ul>
</dd>
{{/SKIPPED}}
<dt>Residual filter</dt>
<dd>{{#HAS_RESIDUAL}}<code>{{RESIDUAL}}</code>{{/HAS_RESIDUAL}}{{#NO_RESIDUAL}}None{{/NO_RESIDUAL}}</dd>
</dl>
{{#ALTERNATIVES}}
<table class="alternatives">
<caption>Plans it beat</caption>
<thead><tr><th scope="col">Plan</th><th scope="col">Estimated cost</th></tr></thead>
<tbody>
{{#ALTERNATIVE}}
<tr><td><code>{{SUMMARY}}</code></td><td>{{ESTIMATED_COST}}</td></tr>
{{/ALTERNATIVE}}
</tbody>
</table>
{{/ALTERNATIVES}}
{{#HAS_JSON}}
<p class="plan-json"><a href="{{JSON_HREF}}">This page as JSON</a></p>
{{/HAS_JSON}}
</div>
</details>
{{/PLAN}}
</section>
</div>
</main>
</body>
</html>
