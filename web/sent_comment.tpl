{{!
  sent_comment.tpl: a comment as its writer sees it, a part of review.tpl; WORDS, RATING_VALUE, RATING_TEXT, SENT_TITLE, SENT_TEXT, SENT_AUTHOR, ANONYMOUS, LANG are described
  there, ATTRIBUTES in comment.tpl.
}}{{>stars.tpl}}
<article class="comment sent"{{#WORDS}} dir="auto"{{/WORDS}}>
<p class="comment-top"><svg class="stars" role="img" aria-label="{{:stars_of_five}}"><use href="#stars-{{RATING_VALUE}}"/></svg></p>
{{#SENT_TITLE}}
<h2 class="comment-title"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{SENT_TITLE}}</h2>
{{/SENT_TITLE}}
{{#SENT_TEXT}}
<div class="comment-text"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{SENT_TEXT}}</div>
{{/SENT_TEXT}}
{{#ATTRIBUTES}}
<ul>{{#ATTRIBUTE}}<li>{{ATTRIBUTE_TEXT}}</li>{{/ATTRIBUTE}}{{#TOPIC}}<li class="topic">{{TOPIC_TEXT}}</li>{{/TOPIC}}</ul>
{{/ATTRIBUTES}}
{{#SENT_AUTHOR}}
<p class="comment-by"><bdi dir="auto">{{SENT_AUTHOR}}</bdi></p>
{{/SENT_AUTHOR}}
{{#ANONYMOUS}}
<p class="comment-by"><span>{{:anonymous}}</span></p>
{{/ANONYMOUS}}
</article>
