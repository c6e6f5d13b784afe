{{!
  review_form.tpl: the fields of a comment, a part of review.tpl.

  ACTION     URL   where the form goes
  SEALED     text  the sealed field
  EDIT, TAG  text  the id of the comment that it changes, and its ETag; else SENDS, a section
  TICKET     text  that of an invitation; optional
  FORM_FAULT text  what is wrong with the form as a whole
  AGAIN      section, when fields have faults: says so at the top
    FAULTY   section, one for each; with FAULTY_ID, FAULTY_LABEL and FAULTY_TEXT
  STAR       section, one for each rating, 1 to 5
    RATING, RATING_LABEL, RATING_WORD  text  "4", "4 stars", "Good"
    CHOSEN   section
  TITLE, TEXT  text  what was typed
  AUTHOR_FIELD  section, when the writer types the name
    AUTHOR   text
  AS_NAME    text  the name that the shop gave, else
  LANGUAGE   section, one for each language; with VALUE, LABEL and CHOSEN
  FIELD      section, one for each attribute that visitors may fill in
    NAME, FIELD_LABEL  text  "attributes.size", "Size"
    FLAG     section, of a flag; with CHOSEN
    CHOICE   section, of a closed choice: OPTION with VALUE, LABEL and CHOSEN
    LIST     section, of tags: VALUE, those that are typed
      TAGS   section, when some are offered, else NO_TAGS
        TAG  section, one for each; with VALUE and CHOSEN
    TEXT_FIELD  section, of all else: VALUE, and NUMBER
      OFFERED  section, when others have values to choose from: OPTION as above, and
        EXAMPLES  text  "true to size, runs small …"
  READ_FIRST  section, when each comment waits for a moderator
  RATING_FAULT, TITLE_FAULT, TEXT_FAULT, AUTHOR_FAULT, LANGUAGE_FAULT, and FAULT of a FIELD  text
}}<form class="write"{{#FRAGMENT}} part="form"{{/FRAGMENT}} method="post" action="{{ACTION}}" novalidate>
<input type="hidden" name="form" value="{{SEALED}}">
{{#TICKET}}
<input type="hidden" name="ticket" value="{{TICKET}}">
{{/TICKET}}
{{#EDIT}}
<input type="hidden" name="edit" value="{{EDIT}}">
<input type="hidden" name="tag" value="{{TAG}}">
{{/EDIT}}
{{#FORM_FAULT}}
<p class="fault" role="alert"{{#PAGE}} tabindex="-1" autofocus{{/PAGE}}>{{FORM_FAULT}}</p>
{{/FORM_FAULT}}
{{#AGAIN}}
<div class="fault" role="alert"{{#PAGE}} tabindex="-1" autofocus{{/PAGE}}>
<p>{{:not_sent}}</p>
<ul>
{{#FAULTY}}
<li>{{#PAGE}}<a href="#{{FAULTY_ID}}">{{/PAGE}}{{FAULTY_LABEL}}{{#PAGE}}</a>{{/PAGE}}: {{FAULTY_TEXT}}</li>
{{/FAULTY}}
</ul>
</div>
{{/AGAIN}}
<fieldset class="field rate" id="rating"{{#RATING_FAULT}} aria-invalid="true" aria-describedby="rating-fault"{{/RATING_FAULT}}>
<legend>{{:rating}}</legend>
<div class="rate-stars">
{{#STAR}}
<label class="rate-star"><input type="radio" name="rating" value="{{RATING}}" required{{#CHOSEN}} checked{{/CHOSEN}}><svg width="32" height="32" viewBox="0 0 20 20" aria-hidden="true"><use href="#star"/></svg><span class="sr">{{RATING_LABEL}}</span> <span class="rate-word">{{RATING_WORD}}</span></label>
{{/STAR}}
<span class="rate-word" aria-hidden="true">{{:fault_rating}}</span>
</div>
{{#RATING_FAULT}}
<p class="fault" id="rating-fault">{{RATING_FAULT}}</p>
{{/RATING_FAULT}}
</fieldset>
<div class="field">
<label for="title">{{:title}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<input id="title" name="title" value="{{TITLE}}" maxlength="300" placeholder=" " dir="auto"{{#TITLE_FAULT}} aria-invalid="true" aria-describedby="title-fault"{{/TITLE_FAULT}}>
{{#TITLE_FAULT}}
<p class="fault" id="title-fault">{{TITLE_FAULT}}</p>
{{/TITLE_FAULT}}
</div>
<div class="field">
<label for="text">{{:your_comment}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<textarea id="text" name="text" rows="7" maxlength="28000" placeholder="{{:text_hint}}" dir="auto"{{#TEXT_FAULT}} aria-invalid="true" aria-describedby="text-fault"{{/TEXT_FAULT}}>
{{TEXT}}</textarea>
{{#TEXT_FAULT}}
<p class="fault" id="text-fault">{{TEXT_FAULT}}</p>
{{/TEXT_FAULT}}
</div>
<div class="field-pairs">
{{#FIELD}}
<div class="field">
{{#FLAG}}
<label class="option"><input type="checkbox" name="{{NAME}}" value="true"{{#CHOSEN}} checked{{/CHOSEN}}><span class="option-label">{{FIELD_LABEL}}</span></label>
{{/FLAG}}
{{#CHOICE}}
<label for="f-{{NAME}}">{{FIELD_LABEL}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<select id="f-{{NAME}}" name="{{NAME}}"{{#FAULT}} aria-invalid="true" aria-describedby="f-{{NAME}}-fault"{{/FAULT}}>
<option value="">{{:choose}}</option>
{{#OPTION}}
<option value="{{VALUE}}"{{#CHOSEN}} selected{{/CHOSEN}}>{{LABEL}}</option>
{{/OPTION}}
</select>
{{/CHOICE}}
{{#LIST}}
<fieldset>
<legend>{{FIELD_LABEL}} <span class="hint-beside">{{:may_stay_empty}}</span></legend>
{{#TAGS}}
<div class="tags">
{{#TAG}}
<label class="tag"><input type="checkbox" name="{{NAME}}" value="{{VALUE}}"{{#CHOSEN}} checked{{/CHOSEN}}><bdi>{{VALUE}}</bdi></label>
{{/TAG}}
</div>
{{/TAGS}}
<label class="hint-beside" for="f-{{NAME}}">{{#TAGS}}{{:other_tags}}{{/TAGS}}{{#NO_TAGS}}{{:with_commas}}{{/NO_TAGS}}</label>
<input id="f-{{NAME}}" name="{{NAME}}" value="{{VALUE}}" placeholder=" " dir="auto"{{#FAULT}} aria-invalid="true" aria-describedby="f-{{NAME}}-fault"{{/FAULT}}>
</fieldset>
{{/LIST}}
{{#TEXT_FIELD}}
<label for="f-{{NAME}}">{{FIELD_LABEL}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<input id="f-{{NAME}}" name="{{NAME}}" value="{{VALUE}}" placeholder="{{#OFFERED}}{{EXAMPLES}}{{/OFFERED}} " dir="auto"{{#NUMBER}} inputmode="numeric"{{/NUMBER}}{{#OFFERED}} list="l-{{NAME}}"{{/OFFERED}}{{#FAULT}} aria-invalid="true" aria-describedby="f-{{NAME}}-fault"{{/FAULT}}>
{{#OFFERED}}
<datalist id="l-{{NAME}}">
{{#OPTION}}
<option value="{{VALUE}}">{{LABEL}}</option>
{{/OPTION}}
</datalist>
{{/OFFERED}}
{{/TEXT_FIELD}}
{{#FAULT}}
<p class="fault" id="f-{{NAME}}-fault">{{FAULT}}</p>
{{/FAULT}}
</div>
{{/FIELD}}
</div>
<div class="field">
<label for="language">{{:comment_language}}</label>
<select id="language" name="language"{{#LANGUAGE_FAULT}} aria-invalid="true" aria-describedby="language-fault"{{/LANGUAGE_FAULT}}>
{{#LANGUAGE}}
<option value="{{VALUE}}"{{#CHOSEN}} selected{{/CHOSEN}}>{{LABEL}}</option>
{{/LANGUAGE}}
</select>
{{#LANGUAGE_FAULT}}
<p class="fault" id="language-fault">{{LANGUAGE_FAULT}}</p>
{{/LANGUAGE_FAULT}}
</div>
{{#AUTHOR_FIELD}}
<div class="field">
<label for="author">{{:your_name}} <span class="hint-beside">{{:may_stay_empty}}</span></label>
<input id="author" name="author" value="{{AUTHOR}}" maxlength="100" placeholder="{{:anonymous}}" dir="auto" autocomplete="nickname"{{#AUTHOR_FAULT}} aria-invalid="true" aria-describedby="author-fault"{{/AUTHOR_FAULT}}>
{{#AUTHOR_FAULT}}
<p class="fault" id="author-fault">{{AUTHOR_FAULT}}</p>
{{/AUTHOR_FAULT}}
</div>
{{/AUTHOR_FIELD}}
{{#AS_NAME}}
<p class="field hint-beside">{{:name_shown}}</p>
{{/AS_NAME}}
<div class="away" aria-hidden="true">
<label for="website">{{:leave_empty}}</label>
<input id="website" name="website" tabindex="-1" autocomplete="off">
</div>
{{#FRAGMENT}}
<p class="fault lost" role="alert" hidden>{{:form_lost}}</p>
{{/FRAGMENT}}
{{#READ_FIRST}}
<p class="hint-beside">{{:read_first}}</p>
{{/READ_FIRST}}
<button class="apply" type="submit">{{#EDIT}}{{:own_save}}{{/EDIT}}{{#SENDS}}{{:send}}{{/SENDS}}</button>
</form>
