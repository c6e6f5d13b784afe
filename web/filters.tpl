{{!
  filters.tpl: the form that filters and sorts. Included by comments.tpl.

  FILTERS  section, the filter form; leave it out when the product has no comments
    NO_CHOICES  section, when words left one comment or none: the form only keeps what is chosen then
    OPENED  section, when all values of a facet were asked for: the form is not folded then
    LIMIT  text  "50"; only when the limit is not the default
    OPTION, below, is a section, one for each value to choose, in the order to be shown
      VALUE      text  "en", "XL", "true"; of a rating a digit 1 to 5 that also names its drawing
      LABEL      text  "English", "5 stars", "Yes", "XL"
      COUNT    text  "1,204": comments with this value, under all other facets of the filter; leave it out when the number is not known
      CHECKED    section, when chosen
      ZERO       section, when the count is zero
    MANY, below, is a section, when the values need a bounded height and a field to find them by
      FIND_LABEL  text  "Search in Country"
    MORE, below, is a section, when only the first of many values are here
      MORE_HREF   URL   this page with all of them
    RATING     section with OPTION, 5 to 1
    LANGUAGES  section with OPTION, MANY and MORE; OPEN as below
    FACET      section, one for each other facet
      NAME         text  its parameter: "size"
      FACET_LABEL  text  "Size"
      CHOSEN_COUNT  text  how many: "2"; when any condition on it is chosen
      OPEN         section, when it is to be unfolded from the beginning
      CHOICES      section with OPTION, MANY and MORE, when it has values to choose
      RANGE        section, when it is a number
        MIN_VALUE, MAX_VALUE  text  the chosen bounds; leave them out where none is chosen
        MIN, MAX  text  the least and the greatest: "0", "1,093"; when there are comments with a number under the other facets
    KEPT       section, one for each condition of the filter that none of these controls has
      NAME     text  "not.size"
      VALUE    text  "XL"
    COUNTS_MISSING  section, if a page index is to count values but does not
    SORT  section, one for each order offered; the default first
      VALUE     text  "-created_at", "created_at", "-rating", "rating", "-helpful"
      LABEL     text  "Newest first", "Highest rated", "Helpful: highest first"
      SELECTED  section, when it is the present one
}}{{#FILTERS}}
<div class="side"{{#NO_CHOICES}} hidden{{/NO_CHOICES}}>
<details class="reveal"{{#OPENED}} open{{/OPENED}}>
<summary class="reveal-label">{{:filter_and_sort}}{{#ACTIVE_COUNT}}<span class="badge">{{ACTIVE_COUNT}}<span class="sr"> {{:chosen}}</span></span>{{/ACTIVE_COUNT}}</summary>
</details>
<form class="filters"{{#FRAGMENT}} part="filters"{{/FRAGMENT}} id="filters" tabindex="-1" method="get" action="{{SELF_HREF}}" autocomplete="off" aria-label="{{:filter_and_sort}}">
{{#UI_ASKED}}
<input type="hidden" name="ui" value="{{UI_ASKED}}">
{{/UI_ASKED}}
{{#LIMIT}}
<input type="hidden" name="limit" value="{{LIMIT}}">
{{/LIMIT}}
{{#KEPT}}
<input type="hidden" name="{{NAME}}" value="{{VALUE}}">
{{/KEPT}}
<div class="facet">
<label class="facet-name" for="sort">{{:sort_by}}</label>
<select id="sort" name="sort">
{{#SORT}}
<option value="{{VALUE}}"{{#SELECTED}} selected{{/SELECTED}}>{{LABEL}}</option>
{{/SORT}}
</select>
</div>
{{#RATING}}
<fieldset class="facet">
<legend>{{:rating}}</legend>
<div class="options">
{{#OPTION}}
<label{{#ZERO}} class="zero"{{/ZERO}}><input type="checkbox" name="rating" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><svg class="stars" role="img" aria-label="{{LABEL}}"><use href="#stars-{{VALUE}}"/></svg>{{#COUNT}}<small>{{COUNT}}</small>{{/COUNT}}</label>
{{/OPTION}}
</div>
</fieldset>
{{/RATING}}
{{#LANGUAGES}}
<details class="fold" data-facet="language"{{#OPEN}} open{{/OPEN}}>
<summary>{{:language}}{{#CHOSEN_COUNT}}<span class="badge">{{CHOSEN_COUNT}}<span class="sr"> {{:chosen}}</span></span>{{/CHOSEN_COUNT}}</summary>
<fieldset aria-label="{{:language}}">
<div class="options{{#MANY}} options-many{{/MANY}}"{{#MANY}} data-find="{{:find}}" data-find-in="{{FIND_LABEL}}"{{/MANY}}>
{{#OPTION}}
<label{{#ZERO}} class="zero"{{/ZERO}}><input type="checkbox" name="language" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><bdi>{{LABEL}}</bdi>{{#COUNT}}<small>{{COUNT}}</small>{{/COUNT}}</label>
{{/OPTION}}
</div>
{{#MORE}}
<a class="more" href="{{MORE_HREF}}#filters" rel="nofollow">{{:more_values}}<i>: {{:language}}</i></a>
{{/MORE}}
</fieldset>
</details>
{{/LANGUAGES}}
{{#FACET}}
<details class="fold" data-facet="{{NAME}}"{{#OPEN}} open{{/OPEN}}>
<summary><bdi>{{FACET_LABEL}}</bdi>{{#CHOSEN_COUNT}}<span class="badge">{{CHOSEN_COUNT}}<span class="sr"> {{:chosen}}</span></span>{{/CHOSEN_COUNT}}</summary>
<fieldset aria-label="{{FACET_LABEL}}">
{{#CHOICES}}
<div class="options{{#MANY}} options-many{{/MANY}}"{{#MANY}} data-find="{{:find}}" data-find-in="{{FIND_LABEL}}"{{/MANY}}>
{{#OPTION}}
<label{{#ZERO}} class="zero"{{/ZERO}}><input type="checkbox" name="{{NAME}}" value="{{VALUE}}"{{#CHECKED}} checked{{/CHECKED}}><bdi>{{LABEL}}</bdi>{{#COUNT}}<small>{{COUNT}}</small>{{/COUNT}}</label>
{{/OPTION}}
</div>
{{#MORE}}
<a class="more" href="{{MORE_HREF}}#filters" rel="nofollow">{{:more_values}}<i>: {{FACET_LABEL}}</i></a>
{{/MORE}}
{{/CHOICES}}
{{#RANGE}}
<div class="range">
<label for="{{NAME}}-min">{{:from}}</label>
<input id="{{NAME}}-min" type="number" name="{{NAME}}.min" value="{{MIN_VALUE}}" step="1">
<label for="{{NAME}}-max">{{:to}}</label>
<input id="{{NAME}}-max" type="number" name="{{NAME}}.max" value="{{MAX_VALUE}}" step="1">
</div>
{{#MIN}}
<p class="range-hint">{{:range_hint}}</p>
{{/MIN}}
{{/RANGE}}
</fieldset>
</details>
{{/FACET}}
{{#COUNTS_MISSING}}
<p class="range-hint">{{:counts_missing}}</p>
{{/COUNTS_MISSING}}
<div class="actions">
<button class="apply" type="submit">{{:apply}}</button>
{{#ACTIVE_COUNT}}
<a class="clear" href="{{CLEAR_HREF}}">{{:clear_filters}}</a>
{{/ACTIVE_COUNT}}
</div>
<p class="hint">{{:follows}}</p>
</form>
</div>
{{/FILTERS}}
