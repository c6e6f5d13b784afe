{{!
  pager.tpl: the way to other pages. Included by comments.tpl.

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
}}{{#PAGER}}
<nav class="pager"{{#FRAGMENT}} part="pager"{{/FRAGMENT}} aria-label="{{:pages}}">
<div class="steps">
{{#NUMBERS}}
<a class="step step-edge"{{#FIRST_HREF}} href="{{FIRST_HREF}}#list"{{/FIRST_HREF}}><span class="step-label">{{:first}}</span></a>
{{/NUMBERS}}
<a class="step step-previous"{{#PREVIOUS_HREF}} rel="prev" href="{{PREVIOUS_HREF}}#list"{{/PREVIOUS_HREF}}>{{:previous}}</a>
<a class="step step-next"{{#NEXT_HREF}} rel="next" href="{{NEXT_HREF}}#list"{{/NEXT_HREF}}>{{:next}}</a>
{{#NUMBERS}}
<a class="step step-edge"{{#LAST_HREF}} href="{{LAST_HREF}}#list"{{/LAST_HREF}}><span class="step-label">{{:last}}</span></a>
{{/NUMBERS}}
</div>
{{#NUMBERS}}
<div class="places">
<ol class="numbers">
{{#STEP}}
<li>{{#GAP}}<span class="gap" aria-hidden="true">…</span><span class="sr">{{:pages_left_out}}</span>{{/GAP}}{{#HREF}}<a class="number" href="{{HREF}}#list"><span class="sr">{{:page}} </span>{{NUMBER_TEXT}}</a>{{/HREF}}{{#CURRENT}}<span class="number" aria-current="page"><span class="sr">{{:page}} </span>{{NUMBER_TEXT}}</span>{{/CURRENT}}</li>
{{/STEP}}
</ol>
{{#JUMP}}
<form class="jump" method="get" action="{{JUMP_ACTION}}#list" autocomplete="off">
{{#UI_ASKED}}
<input type="hidden" name="ui" value="{{UI_ASKED}}">
{{/UI_ASKED}}
{{#KEEP}}
<input type="hidden" name="{{NAME}}" value="{{VALUE}}">
{{/KEEP}}
<label for="jump">{{:go_to_page}}</label>
<input id="jump" type="number" name="page" min="1" max="{{COUNT}}" value="{{NUMBER}}" required inputmode="numeric" aria-describedby="jump-of">
<span id="jump-of">{{:of_pages}}</span>
<button class="go" type="submit">{{:go}}</button>
</form>
{{/JUMP}}
</div>
{{/NUMBERS}}
</nav>
{{/PAGER}}
