{{!
  plan.tpl: how the page was found, for those who run the service: English alone. Included by comments.tpl.

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
}}{{#PLAN}}
<details class="technical" lang="en" dir="ltr">
<summary>How this page was found</summary>
<div class="technical-body">
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
