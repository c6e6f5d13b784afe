{{!
  picks.tpl: a comment for a product and one against it: those that helped most, first of all in the page's language, else the newest. Included by comments.tpl.

  PICKS  section, on the first page without filter, when there are both; the newest only where more pages follow
    PICK  section, one for each: the positive one first
      PICK_TITLE  text  "Most helpful positive review"
      EXCERPT     text  the beginning of its text
      MORE        section, when its text goes on
      WHOLE       section, when it does not
      RATING_VALUE, RATING_TEXT, CREATED_TEXT, TITLE, LANGUAGE_LABEL, AUTHOR, ANONYMOUS, VERIFIED, LANG, PLACE_HREF, HELPFUL_TEXT  as in comment.tpl
}}{{#PICKS}}
<div class="picks">
{{#PICK}}
<section class="pick">
<h2>{{PICK_TITLE}}</h2>
<svg class="stars" role="img" aria-label="{{:stars_of_five}}"><use href="#stars-{{RATING_VALUE}}"/></svg>
{{#TITLE}}
<p class="pick-title"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TITLE}}</p>
{{/TITLE}}
{{#EXCERPT}}
<p class="pick-text"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{EXCERPT}}{{#MORE}} …{{/MORE}}</p>
{{/EXCERPT}}
<p class="comment-by">{{#AUTHOR}}<bdi>{{AUTHOR}}</bdi>{{/AUTHOR}}{{#ANONYMOUS}}<span>{{:anonymous}}</span>{{/ANONYMOUS}}<span>{{CREATED_TEXT}}</span>{{#VERIFIED}}<span class="verified">{{:facet_verified}}</span>{{/VERIFIED}}{{#LANGUAGE_LABEL}}<span class="language">{{LANGUAGE_LABEL}}</span>{{/LANGUAGE_LABEL}}</p>
{{#HELPFUL_TEXT}}
<p class="helpful">{{HELPFUL_TEXT}}</p>
{{/HELPFUL_TEXT}}
<p class="see-all"><a href="{{PLACE_HREF}}">{{#MORE}}{{:read_all}}{{/MORE}}{{#WHOLE}}{{:see_among}}{{/WHOLE}}<span class="sr">: {{PICK_TITLE}}</span></a></p>
</section>
{{/PICK}}
</div>
{{/PICKS}}
