{{!
  summary.tpl: the ratings of a product. Included by comments.tpl.

  SUMMARY  section, the ratings of the product without filter; leave it out if it has no comments
    AVERAGE_TEXT     text  "4.3"
    AVERAGE_PERCENT  text  the average as whole percent of 5, "86"; a number 0 to 100, fills the stars
    BAR  section, one for each rating, 5 to 1
      RATING_TEXT   text  "5"
      HREF        URL   this page with the rating added to the filter, or taken from it when chosen;
                        keeps the languages, limit and sort. Leave it out for a rating without
                        comments that is not chosen
      PERCENT       text  whole percent of all comments, "52"; a number 0 to 100. 0 only for none and
                          100 only for all, so that no bar is wrong; those of all bars add up to 100
      PERCENT_TEXT  text  "52%"
      COUNT         text  "1,204"
      CURRENT       section, when chosen
}}{{#SUMMARY}}
<section class="summary"{{#FRAGMENT}} part="summary"{{/FRAGMENT}} aria-label="{{:ratings}}">
<div class="average">
<p class="average-text"><span class="average-number">{{AVERAGE_TEXT}}</span> <span class="average-of">{{:out_of_five}}</span></p>
<svg class="stars" viewBox="0 0 108 20" aria-hidden="true"><use href="#five" fill="none"/><svg width="{{AVERAGE_PERCENT}}%"><use href="#five"/></svg></svg>
<p class="average-of">{{TOTAL_TEXT}}</p>
</div>
<ul class="bars" aria-label="{{:filter_by_rating}}">
{{#BAR}}
<li><a class="bar"{{#HREF}} rel="nofollow" href="{{HREF}}"{{/HREF}}{{#CURRENT}} aria-current="true"{{/CURRENT}}><span class="sr">{{:bar}}</span><span class="bar-face" aria-hidden="true"><span class="bar-rating">{{RATING_TEXT}}<svg viewBox="0 0 20 17"><use href="#star"/></svg></span><progress value="{{PERCENT}}" max="100"></progress><span>{{PERCENT_TEXT}}</span><span class="bar-count">{{COUNT}}</span></span></a></li>
{{/BAR}}
</ul>
{{#WRITE_HREF}}
<p class="write-link"><a class="apply"{{#FRAGMENT}} part="write"{{/FRAGMENT}} href="{{WRITE_HREF}}" target="_top">{{:write_comment}}</a></p>
{{/WRITE_HREF}}
</section>
{{/SUMMARY}}
