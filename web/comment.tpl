{{!
  comment.tpl: one comment: the values of section COMMENT of comments.tpl. A page has many, so its parts have no
  class: style.css knows them by their places, and what is read but not seen is in an i.

  ID            text  the comment's id; the article's anchor is "c-" and this
  PLACE_HREF    URL   its permanent address among the others
  RATING_VALUE  text  "4"; a digit 1 to 5
  RATING_TEXT   text  the same to be read
  CREATED_TEXT  text  "20 November 2024", in the shop's time zone
  TITLE  text; or a row with the same name, up to the first word that was looked for
    SOUGHT  section, one for each such word, as of TEXT
      MARKED  text  the word
      BEHIND  text  what follows it
  NO_TITLE  section, when it has none: a heading for those who go from heading to heading
  TEXT   text  newlines are kept; SOUGHT as of TITLE
  WHOLE_HREF  URL   the page of this comment alone; when TEXT is only the beginning
  AUTHOR text
  NAMED  text  the author, else the title; tells its links from those of others
  WHO    text  the same with the day
  ANONYMOUS     section, when the author is empty
  VERIFIED      section, when the product was bought
  COUNTRY       text  "Portugal"
  LANG   text  "en"; becomes the lang attribute of title and text; leave it out for und, and where it is the page's
  LANGUAGE_LABEL  text  "English"; with LANG
  ATTRIBUTES    section, when it has values of other facets
    ATTRIBUTE   section, one for each
      ATTRIBUTE_TEXT  text  "Size: XL", "Photos"
    TOPIC       section, one for each tag
      TOPIC_TEXT  text  "gift"
  PICTURES      section, when it has any
    PICTURE     section, one for each
      URL            URL   the picture, at one of the hosts that the shop names
      WIDTH, HEIGHT  text  its size in pixels; leave both out if it is not known. The page does not move when it comes
      ALT            text  what it shows
  REPLY  section, the shop's reply
    REPLY_BY      text  "Reply from Ann of Field & Stream"
    CREATED_DAY   text  "2024-11-20"
    CREATED_TEXT  text  as above
    REPLY_TEXT    text  newlines are kept
  HELPFUL_TEXT  text  "12 people found this helpful"; leave it out at none
  REPORT_HREF   URL   the form for a report of it, where the store keeps reports
  VOTE_HREF     URL   where a vote is sent, by a script that knows the customer; in fragments, where customers vote
}}<article class="comment"{{#FRAGMENT}} part="comment"{{/FRAGMENT}} id="c-{{ID}}">
<p><svg class="stars" role="img" aria-label="{{:stars_of_five}}"><use href="#stars-{{RATING_VALUE}}"/></svg><a href="{{PLACE_HREF}}">{{CREATED_TEXT}}{{#NAMED}}<i>: {{NAMED}}</i>{{/NAMED}}</a></p>
<p>{{#AUTHOR}}<bdi>{{AUTHOR}}</bdi>{{/AUTHOR}}{{#ANONYMOUS}}<span>{{:anonymous}}</span>{{/ANONYMOUS}}{{#VERIFIED}}<b>{{:facet_verified}}</b>{{/VERIFIED}}{{#COUNTRY}}<span>{{COUNTRY}}</span>{{/COUNTRY}}{{#LANGUAGE_LABEL}}<em>{{LANGUAGE_LABEL}}</em>{{/LANGUAGE_LABEL}}{{#REPORT_HREF}}<a href="{{REPORT_HREF}}">{{:report}}<i>: {{WHO}}</i></a>{{/REPORT_HREF}}</p>
{{#TITLE}}
<h3{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TITLE}}{{#SOUGHT}}<mark>{{MARKED}}</mark>{{BEHIND}}{{/SOUGHT}}</h3>
{{/TITLE}}
{{#NO_TITLE}}
<h3 class="sr">{{WHO}}</h3>
{{/NO_TITLE}}
{{#TEXT}}
<div{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TEXT}}{{#SOUGHT}}<mark>{{MARKED}}</mark>{{BEHIND}}{{/SOUGHT}}{{#WHOLE_HREF}} …{{/WHOLE_HREF}}</div>
{{#WHOLE_HREF}}
<p class="read-all"><a href="{{WHOLE_HREF}}" target="_top" rel="nofollow">{{:read_all}}<i>: {{WHO}}</i></a></p>
{{/WHOLE_HREF}}
{{/TEXT}}
{{#PICTURES}}
<ul class="pictures">
{{#PICTURE}}
<li><a href="{{URL}}" rel="nofollow ugc"{{#FRAGMENT}} target="_blank"{{/FRAGMENT}}><img src="{{URL}}"{{#WIDTH}} width="{{WIDTH}}" height="{{HEIGHT}}"{{/WIDTH}} alt="{{ALT}}" loading="lazy" referrerpolicy="no-referrer"></a></li>
{{/PICTURE}}
</ul>
{{/PICTURES}}
{{#ATTRIBUTES}}
<ul>{{#ATTRIBUTE}}<li>{{ATTRIBUTE_TEXT}}</li>{{/ATTRIBUTE}}{{#TOPIC}}<li class="topic">{{TOPIC_TEXT}}</li>{{/TOPIC}}</ul>
{{/ATTRIBUTES}}
{{#HELPFUL_TEXT}}
<p class="helpful">{{HELPFUL_TEXT}}</p>
{{/HELPFUL_TEXT}}
{{#VOTE_HREF}}
<form class="vote" hidden method="post" action="{{VOTE_HREF}}">
<input type="hidden" name="token" value="">
<button name="vote" value="helpful">{{:vote_helpful}}<i>: {{WHO}}</i></button>
<button name="vote" value="unhelpful">{{:vote_unhelpful}}<i>: {{WHO}}</i></button>
</form>
{{/VOTE_HREF}}
{{#REPLY}}
<section class="reply">
<h4 class="reply-by"><bdi>{{REPLY_BY}}</bdi> <time datetime="{{CREATED_DAY}}">{{CREATED_TEXT}}</time></h4>
<div class="comment-text" dir="auto">{{REPLY_TEXT}}</div>
</section>
{{/REPLY}}
</article>
