{{!
  comments.tpl: the page of a product's comments, at /products/PRODUCT.

  Give every value raw; escaping is done here. "URL" marks a value that fills a whole href or action:
  give it as an absolute path (or http, https), percent-encoded, with a plain ampersand between parameters.
  What surrounds a text is left out with it, if the text is empty.

  PAGE_TITLE   text  "Comments on 42 – Size: L – page 3": another for each filter, sort and page
  PRODUCT      text  the product's id
  TOTAL_TEXT   text  all its comments, under no filter: "2,331 comments", "1 comment". Used in SUMMARY
  MATCH_TEXT   text  the heading of the list: "611 of 2,331 comments" under a filter, else "All comments"
  SELF_HREF    URL   this page without a query
  CLEAR_HREF   URL   this page without the filter; keep sort and limit. Used in ACTIVE and EMPTY

  PAGE_TEXT  text  "Page 3 of 117", "Page 1,204 of 50,000"; when the page's number is known and there is more than one page
  NUMBERS_MISSING  section, if a page index is configured but gives no numbers: says that there are
                   no page numbers right now. PAGE_TEXT and PAGER's NUMBERS are then left out

  ALONE_HREF  URL  on the page of one comment: the page where it stands among the others

  ACTIVE_COUNT  text  how many conditions are chosen: "2"; when any condition of the filter is chosen
  CHOSEN  section, the chosen conditions above the list
    CHIP  section, one for each
      LABEL  text  "Size: L", "Helpful: at least 3"
      HREF   URL   this page without the condition; keeps the others, limit and sort

  SUMMARY  section, the ratings of the product without filter; leave it out if it has no comments
    AVERAGE_TEXT     text  "4.3"
    AVERAGE_PERCENT  text  the average as whole percent of 5, "86"; a number 0 to 100, fills the stars
    BAR  section, one for each rating, 5 to 1
      RATING_VALUE  text  "5"; a digit 1 to 5
      HREF        URL   this page with the rating added to the filter, or taken from it when chosen;
                        keeps the languages, limit and sort. Leave it out for a rating without
                        comments that is not chosen
      PERCENT       text  whole percent of all comments, "52"; a number 0 to 100. 0 only for none and
                          100 only for all, so that no bar is wrong
      COUNT         text  "1,204"
      CURRENT       section, when chosen

  AS_OF_ISO   text  "2024-11-20T12:01Z"; if the numbers in SUMMARY may be behind the comments: the time up to which they hold
  AS_OF_TEXT  text  "20 November 2024, 12:01 UTC"
  AS_OF_UNKNOWN  section, instead of AS_OF_ISO, if that time is not known: many comments may be
                 missing

  FILTERS  section, the filter form; leave it out when the product has no comments
    LIMIT  text  "50"; only when the limit is not the default
    OPTION, below, is a section, one for each value to choose, in the order to be shown
      VALUE      text  "en", "XL", "true"; of a rating a digit 1 to 5 that also names its drawing
      LABEL      text  "English", "5 stars", "Yes", "XL"
      COUNT    text  "1,204": comments with this value, under all other facets of the filter; leave it out when the number is not known
      CHECKED    section, when chosen
      ZERO       section, when the count is zero
    MANY, below, is a section, when the values need a bounded height and a field to find them by
    RATING     section with OPTION, 5 to 1
    LANGUAGES  section with OPTION and MANY
    FACET      section, one for each other facet
      NAME         text  its parameter: "size"
      FACET_LABEL  text  "Size"
      CHOSEN_COUNT  text  how many: "2"; when any condition on it is chosen
      OPEN         section, when it is to be unfolded from the beginning
      CHOICES      section with OPTION and MANY, when it has values to choose
      RANGE        section, when it is a number
        MIN_VALUE, MAX_VALUE  text  the chosen bounds; leave them out where none is chosen
        MIN, MAX  text  the least and the greatest: "0", "93". Used in RANGE, too; when there are comments with a number under the other facets
        COMMENTS  text  how many comments have one: "1,204 comments"
    KEPT       section, one for each condition of the filter that none of these controls has
      NAME     text  "not.size"
      VALUE    text  "XL"
    COUNTS_MISSING  section, if a page index is to count values but does not
    SORT  section, one for each order offered; the default first
      VALUE     text  "-created_at", "created_at", "-rating", "rating", "-helpful"
      LABEL     text  "Newest first", "Highest rated", "Helpful: highest first"
      SELECTED  section, when it is the present one

  COMMENT  section, one for each comment of the page
    ID            text  the comment's id; the article's anchor is "c-" and this
    PLACE_HREF    URL   its permanent address among the others
    RATING_VALUE  text  "4"; a digit 1 to 5
    CREATED_ISO   text  "2024-11-20T12:01:00.123Z"
    CREATED_TEXT  text  "20 November 2024"
    TITLE  text
    NO_TITLE  section, when it has none: a heading for those who go from heading to heading
    TEXT   text  newlines are kept
    WHOLE_HREF  URL   the page of this comment alone; when TEXT is only the beginning
    AUTHOR text
    ANONYMOUS     section, when the author is empty
    LANG   text  "en"; becomes the lang attribute of title and text; only when the language is not und
    LANGUAGE_LABEL  text  "English"; leave it out for und
    ATTRIBUTES    section, when it has values of facets
      ATTRIBUTE   section, one for each
        ATTRIBUTE_TEXT  text  "Size: XL", "Verified", "Tags: gift, fit"

  EMPTY  section, when the product has comments, but none under this filter

  PAGER  section, when there is a previous or a next page
    The HREFs and JUMP_ACTION get the anchor of the list appended here: give them without a fragment.
    PREVIOUS_HREF  URL
    NEXT_HREF      URL
    FIRST_HREF     URL   leave it out on the first page. Shown only with NUMBERS
    LAST_HREF      URL   leave it out on the last page. Shown only with NUMBERS
    NUMBERS       section, when the page's number is known; add it once, it is used in several places
      STEP        section, one for each number or gap, in order. Best: the first, the last, the present
                  one and two neighbours on either side (one when the count has 3 digits or more), and a
                  gap where more than one number is left out
        GAP          section, numbers are left out here; the others are then left out
        HREF       URL   leave it out for the present number
        CURRENT      section, for the present number
        NUMBER_TEXT  text  "4", "50,000"
      JUMP        section, the form that goes to any page; leave it out to do without
        JUMP_ACTION  URL   this page without a query
        NUMBER       text  the present number, plain digits: "1204"
        COUNT        text  the number of pages, plain digits: "50000"
        COUNT_TEXT   text  the same to be read: "50,000"
        KEEP         section, one for each parameter to keep: the filter, limit and sort. Not page,
                     skip, after or before
          NAME         text  "language"
          VALUE        text  "en"

  PLAN  section, how the page was found
    SUMMARY         text  the plan's line
    INDEX           text  "byLangAndRating", "bitmap"
    BITMAPS         section, when bitmaps were read
      BLOCKS, BLOCKS_SKIPPED  text  "34", "0"
      TOTALS        text  "Kept", "Made"
    TERMS           section, when bitmaps were read under a filter
      TERM          section, one for each condition
        TERM_TEXT   text  "rating 4 5"
    LISTS           section, when lists were read; used in several places. LIST, RESIDUAL and
                    NO_RESIDUAL lie in it
    LIST            section, one for each list read
      LIST_KEY      text  "PRODUCT#42/en/5"
      START_KEY   text  the key it resumes from, in one line; leave it out when the list is read from its edge
    SKIPPED         section, when any list was skipped
      SKIPPED_LIST  section, one for each
        LIST_KEY    text
    RESIDUAL      text  "rating in 1, 5"
    NO_RESIDUAL     section, when there is none
    ENTRIES_READ    text  "21"
    DISCARDED       text  "1"
    REQUESTS        text  "2"
    ESTIMATED_COST  text  "1.0"
    CONSUMED      text  consumed capacity, where the store tells it: "1.0"
    TIME_US         text  "312"
    ALTERNATIVES    section, when the plan beat any
      ALTERNATIVE   section, one for each
        SUMMARY         text
        ESTIMATED_COST  text
    JSON_HREF     URL   this page in the JSON interface, with explain=true
}}<!doctype html>
<html lang="en">
<head>
{{>head.tpl}}
<title>{{PAGE_TITLE}} – {{SITE}}</title>
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
<clipPath id="five-stars"><use href="#star"/><use href="#star" x="22"/><use href="#star" x="44"/><use href="#star" x="66"/><use href="#star" x="88"/></clipPath>
</defs>
</svg>
<a class="skip" href="#list">Skip to the comments</a>
{{>masthead.tpl}}
<main class="page">
<header class="intro">
<p class="crumb"><a href="{{HOME_HREF}}">Products</a></p>
<h1>Comments on <bdi>{{PRODUCT}}</bdi></h1>
{{#SUMMARY}}
<section class="summary" aria-label="Ratings">
<div class="average">
<p class="average-text"><span class="average-number">{{AVERAGE_TEXT}}</span> out of 5</p>
<svg class="stars" viewBox="0 0 108 20" width="130" height="24" aria-hidden="true" focusable="false"><g fill="none"><use href="#star"/><use href="#star" x="22"/><use href="#star" x="44"/><use href="#star" x="66"/><use href="#star" x="88"/></g><rect width="{{AVERAGE_PERCENT}}%" height="20" fill="currentColor" clip-path="url(#five-stars)"/></svg>
<p class="average-of">{{TOTAL_TEXT}}</p>
</div>
<ul class="bars" aria-label="Filter by rating">
{{#BAR}}
<li><a class="bar" rel="nofollow" data-rating="{{RATING_VALUE}}"{{#HREF}} href="{{HREF}}"{{/HREF}}{{#CURRENT}} aria-current="true"{{/CURRENT}}><span class="bar-rating">{{RATING_VALUE}}<svg class="stars" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false" fill="currentColor"><use href="#star"/></svg><span class="sr"> out of 5 stars: </span></span><svg class="bar-drawing" width="100%" height="10" aria-hidden="true" focusable="false"><rect class="bar-whole" width="100%" height="10" rx="3"/><rect class="bar-part" width="{{PERCENT}}%" height="10" rx="3"/></svg><span class="bar-percent">{{PERCENT}}%</span><span class="bar-count"><span class="sr">, comments: </span>{{COUNT}}</span></a></li>
{{/BAR}}
</ul>
</section>
{{/SUMMARY}}
{{#AS_OF_ISO}}
<p class="as-of">Ratings as of <time datetime="{{AS_OF_ISO}}">{{AS_OF_TEXT}}</time></p>
{{/AS_OF_ISO}}
{{#AS_OF_UNKNOWN}}
<p class="as-of">Ratings may be incomplete</p>
{{/AS_OF_UNKNOWN}}
</header>
<div class="columns">
{{#FILTERS}}
<div class="side">
<input class="reveal" type="checkbox" id="reveal" form="filters">
<label class="reveal-label" for="reveal">Filter and sort{{#ACTIVE_COUNT}}<span class="badge">{{ACTIVE_COUNT}}<span class="sr"> chosen</span></span>{{/ACTIVE_COUNT}}</label>
<form class="filters" id="filters" method="get" action="{{SELF_HREF}}" autocomplete="off" aria-label="Filter and sort">
{{#LIMIT}}
<input type="hidden" name="limit" value="{{LIMIT}}">
{{/LIMIT}}
{{#KEPT}}
<input type="hidden" name="{{NAME}}" value="{{VALUE}}">
{{/KEPT}}
<div class="facet">
<label class="facet-name" for="sort">Sort by</label>
<select id="sort" name="sort">
{{#SORT}}
<option value="{{VALUE}}"{{#SELECTED}} selected{{/SELECTED}}>{{LABEL}}</option>
{{/SORT}}
</select>
</div>
{{#RATING}}
<fieldset class="facet">
<legend>Rating</legend>
{{#OPTION}}
<label class="option{{#ZERO}} option-zero{{/ZERO}}"><input type="checkbox" name="rating" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><span class="option-label"><svg class="stars" width="86" height="16" aria-hidden="true" focusable="false"><use href="#stars-{{VALUE}}"/></svg><span class="sr">{{LABEL}}</span></span>{{#COUNT}}<span class="option-count"><span class="sr">, comments: </span>{{COUNT}}</span>{{/COUNT}}</label>
{{/OPTION}}
</fieldset>
{{/RATING}}
{{#LANGUAGES}}
<fieldset class="facet">
<legend>Language</legend>
<div class="options{{#MANY}} options-many{{/MANY}}">
{{#OPTION}}
<label class="option{{#ZERO}} option-zero{{/ZERO}}"><input type="checkbox" name="language" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><span class="option-label" dir="auto">{{LABEL}}</span>{{#COUNT}}<span class="option-count"><span class="sr">, comments: </span>{{COUNT}}</span>{{/COUNT}}</label>
{{/OPTION}}
</div>
</fieldset>
{{/LANGUAGES}}
{{#FACET}}
<details class="facet fold" data-facet="{{NAME}}"{{#OPEN}} open{{/OPEN}}>
<summary><span class="fold-name">{{FACET_LABEL}}</span>{{#CHOSEN_COUNT}}<span class="badge">{{CHOSEN_COUNT}}<span class="sr"> chosen</span></span>{{/CHOSEN_COUNT}}</summary>
<fieldset>
<legend class="sr">{{FACET_LABEL}}</legend>
{{#CHOICES}}
<div class="options{{#MANY}} options-many{{/MANY}}">
{{#OPTION}}
<label class="option{{#ZERO}} option-zero{{/ZERO}}"><input type="checkbox" name="{{NAME}}" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><span class="option-label" dir="auto">{{LABEL}}</span>{{#COUNT}}<span class="option-count"><span class="sr">, comments: </span>{{COUNT}}</span>{{/COUNT}}</label>
{{/OPTION}}
</div>
{{/CHOICES}}
{{#RANGE}}
<div class="range">
<label for="{{NAME}}-min">From</label>
<input id="{{NAME}}-min" type="number" name="{{NAME}}.min" value="{{MIN_VALUE}}" step="1" placeholder="{{MIN}}">
<label for="{{NAME}}-max">to</label>
<input id="{{NAME}}-max" type="number" name="{{NAME}}.max" value="{{MAX_VALUE}}" step="1" placeholder="{{MAX}}">
</div>
{{#COMMENTS}}
<p class="range-hint">{{MIN}} to {{MAX}}, in {{COMMENTS}}</p>
{{/COMMENTS}}
{{/RANGE}}
</fieldset>
</details>
{{/FACET}}
{{#COUNTS_MISSING}}
<p class="range-hint">Numbers beside the choices are not available right now.</p>
{{/COUNTS_MISSING}}
<div class="actions">
<button class="apply" type="submit">Apply</button>
{{#ACTIVE_COUNT}}
<a class="clear" href="{{CLEAR_HREF}}">Clear filters</a>
{{/ACTIVE_COUNT}}
</div>
<p class="hint">The list follows each choice.</p>
</form>
</div>
{{/FILTERS}}
<section class="results" id="list" tabindex="-1" aria-labelledby="list-heading">
<div class="results-head">
<h2 id="list-heading">{{MATCH_TEXT}}</h2>
{{#PAGE_TEXT}}
<p class="page-text">{{PAGE_TEXT}}</p>
{{/PAGE_TEXT}}
{{#NUMBERS_MISSING}}
<p class="page-text">Page numbers are not available right now.</p>
{{/NUMBERS_MISSING}}
{{#ACTIVE_COUNT}}
<a class="clear" href="{{CLEAR_HREF}}">Clear filters</a>
{{/ACTIVE_COUNT}}
{{#ALONE_HREF}}
<a class="see-all" href="{{ALONE_HREF}}">See it among all comments</a>
{{/ALONE_HREF}}
</div>
{{#CHOSEN}}
<ul class="chips" aria-label="Chosen filters">
{{#CHIP}}
<li><a class="chip" rel="nofollow" href="{{HREF}}"><span class="sr">Remove </span><bdi>{{LABEL}}</bdi><svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M4 4l8 8M12 4l-8 8"/></svg></a></li>
{{/CHIP}}
</ul>
{{/CHOSEN}}
{{#COMMENT}}
<article class="comment" id="c-{{ID}}" data-comment="{{ID}}">
<p class="comment-top"><svg class="stars" width="108" height="20" role="img" aria-label="{{RATING_VALUE}} out of 5 stars"><use href="#stars-{{RATING_VALUE}}"/></svg><a class="permalink" href="{{PLACE_HREF}}" rel="nofollow"><time datetime="{{CREATED_ISO}}">{{CREATED_TEXT}}</time></a></p>
{{#TITLE}}
<h3 class="comment-title" dir="auto"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TITLE}}</h3>
{{/TITLE}}
{{#NO_TITLE}}
<h3 class="sr">No title</h3>
{{/NO_TITLE}}
{{#TEXT}}
<div class="comment-text" dir="auto"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TEXT}}{{#WHOLE_HREF}} …{{/WHOLE_HREF}}</div>
{{#WHOLE_HREF}}
<p class="read-all"><a href="{{WHOLE_HREF}}" rel="nofollow">Read all</a></p>
{{/WHOLE_HREF}}
{{/TEXT}}
{{#ATTRIBUTES}}
<ul class="attributes">
{{#ATTRIBUTE}}
<li><bdi>{{ATTRIBUTE_TEXT}}</bdi></li>
{{/ATTRIBUTE}}
</ul>
{{/ATTRIBUTES}}
<p class="comment-by">{{#AUTHOR}}<bdi class="author" dir="auto">{{AUTHOR}}</bdi>{{/AUTHOR}}{{#ANONYMOUS}}<span class="author">Anonymous</span>{{/ANONYMOUS}}{{#LANGUAGE_LABEL}}<span class="language"><span class="sr">, in </span>{{LANGUAGE_LABEL}}</span>{{/LANGUAGE_LABEL}}</p>
</article>
{{/COMMENT}}
{{#EMPTY}}
<div class="empty">
<p class="empty-title">No comment matches these filters.</p>
<p>Choose fewer, or <a href="{{CLEAR_HREF}}">see all comments</a>.</p>
</div>
{{/EMPTY}}
{{#PAGER}}
<nav class="pager" aria-label="Pages">
<div class="steps">
{{#NUMBERS}}
<a class="step step-edge"{{#FIRST_HREF}} href="{{FIRST_HREF}}#list"{{/FIRST_HREF}}><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M11 3L6 8l5 5M3 3v10"/></svg><span class="step-label">First</span></a>
{{/NUMBERS}}
<a class="step step-previous"{{#PREVIOUS_HREF}} rel="prev" href="{{PREVIOUS_HREF}}#list"{{/PREVIOUS_HREF}}><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M10 3L5 8l5 5"/></svg>Previous</a>
<a class="step step-next"{{#NEXT_HREF}} rel="next" href="{{NEXT_HREF}}#list"{{/NEXT_HREF}}>Next<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M6 3l5 5-5 5"/></svg></a>
{{#NUMBERS}}
<a class="step step-edge"{{#LAST_HREF}} href="{{LAST_HREF}}#list"{{/LAST_HREF}}><span class="step-label">Last</span><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M5 3l5 5-5 5M13 3v10"/></svg></a>
{{/NUMBERS}}
</div>
{{#NUMBERS}}
<div class="places">
<ol class="numbers">
{{#STEP}}
<li>{{#GAP}}<span class="gap" aria-hidden="true">…</span><span class="sr">Pages left out</span>{{/GAP}}{{#HREF}}<a class="number" href="{{HREF}}#list"><span class="sr">Page </span>{{NUMBER_TEXT}}</a>{{/HREF}}{{#CURRENT}}<span class="number" aria-current="page"><span class="sr">Page </span>{{NUMBER_TEXT}}</span>{{/CURRENT}}</li>
{{/STEP}}
</ol>
{{#JUMP}}
<form class="jump" method="get" action="{{JUMP_ACTION}}#list" autocomplete="off">
{{#KEEP}}
<input type="hidden" name="{{NAME}}" value="{{VALUE}}">
{{/KEEP}}
<label for="jump">Go to page</label>
<input id="jump" type="number" name="page" min="1" max="{{COUNT}}" value="{{NUMBER}}" required inputmode="numeric" aria-describedby="jump-of">
<span id="jump-of">of {{COUNT_TEXT}}</span>
<button class="go" type="submit">Go</button>
</form>
{{/JUMP}}
</div>
{{/NUMBERS}}
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
{{#BITMAPS}}
<div><dt>Blocks looked at</dt><dd>{{BLOCKS}}</dd></div>
<div><dt>Blocks skipped</dt><dd>{{BLOCKS_SKIPPED}}</dd></div>
<div><dt>Totals</dt><dd>{{TOTALS}}</dd></div>
{{/BITMAPS}}
{{#LISTS}}
<div><dt>Requests</dt><dd>{{REQUESTS}}</dd></div>
<div><dt>Estimated cost</dt><dd>{{ESTIMATED_COST}}</dd></div>
{{/LISTS}}
{{#CONSUMED}}
<div><dt>Consumed</dt><dd>{{CONSUMED}}</dd></div>
{{/CONSUMED}}
<div><dt>Time</dt><dd>{{TIME_US}} µs</dd></div>
</dl>
<dl class="facts">
<dt>Index</dt>
<dd><code>{{INDEX}}</code></dd>
{{#TERMS}}
<dt>Filter</dt>
<dd>
<ul>
{{#TERM}}
<li><code>{{TERM_TEXT}}</code></li>
{{/TERM}}
</ul>
</dd>
{{/TERMS}}
{{#LISTS}}
<dt>Lists read</dt>
<dd>
<ul>
{{#LIST}}
<li><code>{{LIST_KEY}}</code>{{#START_KEY}}<span class="start">from <code>{{START_KEY}}</code></span>{{/START_KEY}}</li>
{{/LIST}}
</ul>
</dd>
{{/LISTS}}
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
{{#LISTS}}
<dt>Residual filter</dt>
<dd>{{#RESIDUAL}}<code>{{RESIDUAL}}</code>{{/RESIDUAL}}{{#NO_RESIDUAL}}None{{/NO_RESIDUAL}}</dd>
{{/LISTS}}
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
{{#JSON_HREF}}
<p class="plan-json"><a href="{{JSON_HREF}}">This page as JSON</a></p>
{{/JSON_HREF}}
</div>
</details>
{{/PLAN}}
</section>
</div>
</main>
</body>
</html>
