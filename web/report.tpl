{{!
  report.tpl: the form by which a comment is reported, at /comments/ID/report, and what follows.

  The values of head.tpl and masthead.tpl lie beside it.
  PRODUCT       text  the product's name, or its id
  PRODUCT_HREF  URL   the page of its comments
  RATING_VALUE, RATING_TEXT, TITLE, AUTHOR, LANG  text  of the comment, as in comment.tpl
  EXCERPT       text  the beginning of its text

  FORM          section
    ACTION      URL   where the form goes
    FORM_FAULT  text  what is wrong with the form as a whole
    AGAIN       section, when fields have faults: says so at the top
      FAULTY    section, one for each; with FAULTY_ID, FAULTY_LABEL and FAULTY_TEXT
    OPTION      section, one for each reason; with VALUE, LABEL and CHOSEN
    NOTE, NAME, MAIL  text  what was typed
    GOOD_FAITH  section, when it was ticked
    REASON_FAULT, NOTE_FAULT, NAME_FAULT, MAIL_FAULT, GOOD_FAITH_FAULT  text

  TAKEN         section, when the report was taken
    CONTACT     section, when it has a name or a mail
    PLACE_HREF  URL   the comment among the others; when the report did not hold it
}}<!doctype html>
<html lang="{{UI}}" dir="{{UI_DIR}}">
<head>
{{>head.tpl}}
<title>{{:report_comment}}: {{PRODUCT}} – {{SITE}}</title>
</head>
<body>
{{>masthead.tpl}}
<main class="page page-narrow review">
<header class="intro">
<p class="crumb"><a href="{{PRODUCTS_HREF}}" target="_top">{{:products}}</a> <span aria-hidden="true">·</span> <a href="{{PRODUCT_HREF}}" dir="auto">{{PRODUCT}}</a></p>
<h1>{{#FORM}}{{:report_comment}}{{/FORM}}{{#TAKEN}}{{:thanks}}{{/TAKEN}}</h1>
</header>
{{#TAKEN}}
<div class="told done" role="status">
<p>{{:report_taken}}</p>
{{#CONTACT}}
<p>{{:report_contact}}</p>
{{/CONTACT}}
</div>
{{/TAKEN}}
{{>stars.tpl}}
<article class="comment sent">
<p class="comment-top"><svg class="stars" role="img" aria-label="{{:stars_of_five}}"><use href="#stars-{{RATING_VALUE}}"/></svg></p>
{{#TITLE}}
<h2 class="comment-title"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TITLE}}</h2>
{{/TITLE}}
{{#EXCERPT}}
<div class="comment-text"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{EXCERPT}}</div>
{{/EXCERPT}}
{{#AUTHOR}}
<p class="comment-by"><bdi>{{AUTHOR}}</bdi></p>
{{/AUTHOR}}
</article>
{{#TAKEN}}
<p class="ways">{{#PLACE_HREF}}<a class="apply" href="{{PLACE_HREF}}">{{:see_among}}</a>{{/PLACE_HREF}}<a href="{{PRODUCT_HREF}}">{{:see_all_comments}}</a></p>
{{/TAKEN}}
{{#FORM}}
<form class="write" method="post" action="{{ACTION}}" novalidate>
{{#FORM_FAULT}}
<p class="fault" role="alert" tabindex="-1" autofocus>{{FORM_FAULT}}</p>
{{/FORM_FAULT}}
{{#AGAIN}}
<div class="fault" role="alert" tabindex="-1" autofocus>
<p>{{:report_not_sent}}</p>
<ul>
{{#FAULTY}}
<li><a href="#{{FAULTY_ID}}">{{FAULTY_LABEL}}</a>: {{FAULTY_TEXT}}</li>
{{/FAULTY}}
</ul>
</div>
{{/AGAIN}}
<fieldset class="field" id="reason"{{#REASON_FAULT}} aria-invalid="true" aria-describedby="reason-fault"{{/REASON_FAULT}}>
<legend>{{:report_reason}}</legend>
{{#OPTION}}
<label class="one-of"><input type="radio" name="reason" value="{{VALUE}}" required{{#CHOSEN}} checked{{/CHOSEN}}> {{LABEL}}</label>
{{/OPTION}}
{{#REASON_FAULT}}
<p class="fault" id="reason-fault">{{REASON_FAULT}}</p>
{{/REASON_FAULT}}
</fieldset>
<div class="field">
<label for="note">{{:report_note}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<textarea id="note" name="note" rows="4" maxlength="1000" placeholder=" " dir="auto"{{#NOTE_FAULT}} aria-invalid="true" aria-describedby="note-fault"{{/NOTE_FAULT}}>
{{NOTE}}</textarea>
{{#NOTE_FAULT}}
<p class="fault" id="note-fault">{{NOTE_FAULT}}</p>
{{/NOTE_FAULT}}
</div>
<fieldset class="field notice">
<legend>{{:notice}}</legend>
<p class="hint-beside">{{:notice_hint}}</p>
<div class="field-pairs">
<div class="field">
<label for="name">{{:your_full_name}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<input id="name" name="name" value="{{NAME}}" maxlength="100" placeholder=" " dir="auto" autocomplete="name"{{#NAME_FAULT}} aria-invalid="true" aria-describedby="name-fault"{{/NAME_FAULT}}>
{{#NAME_FAULT}}
<p class="fault" id="name-fault">{{NAME_FAULT}}</p>
{{/NAME_FAULT}}
</div>
<div class="field">
<label for="mail">{{:your_mail}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<input id="mail" type="email" name="mail" value="{{MAIL}}" maxlength="254" placeholder=" " autocomplete="email"{{#MAIL_FAULT}} aria-invalid="true" aria-describedby="mail-fault"{{/MAIL_FAULT}}>
{{#MAIL_FAULT}}
<p class="fault" id="mail-fault">{{MAIL_FAULT}}</p>
{{/MAIL_FAULT}}
</div>
</div>
<div class="field">
<label class="one-of"><input id="good_faith" type="checkbox" name="good_faith" value="true"{{#GOOD_FAITH}} checked{{/GOOD_FAITH}}{{#GOOD_FAITH_FAULT}} aria-invalid="true" aria-describedby="good-faith-fault"{{/GOOD_FAITH_FAULT}}> {{:good_faith}}</label>
{{#GOOD_FAITH_FAULT}}
<p class="fault" id="good-faith-fault">{{GOOD_FAITH_FAULT}}</p>
{{/GOOD_FAITH_FAULT}}
</div>
</fieldset>
<button class="apply" type="submit">{{:report_send}}</button>
</form>
{{/FORM}}
</main>
</body>
</html>
