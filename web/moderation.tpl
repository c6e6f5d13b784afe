{{!
  moderation.tpl: the queue of moderators, at /moderation, and the form to sign in.

  Give every value raw; escaping is done here. "URL": an absolute path, percent-encoded.

  SIGN_IN  section, in place of the queue
    FAULT  text  why the last try failed; optional
  QUEUE  section
    FORM_VALUE  text  that each form carries
    BACK        text  the present filter, as a query
    MODERATOR   text  the name of the token
    ROUND_PUBLISHED, ROUND_REJECTED  text  how many the moderator has decided up to here
    OUTCOME  section, when something was done before
      TOLD  text  what became of it: "3 published."
      UNDO  section, when it can be taken back
        UNDO_NAME  text
        UNDO_ALL   text  how many decisions and notes were sent together; absent of one
        BEFORE_PUBLISHED, BEFORE_REJECTED  text  how many were decided before it
    KIND  section, one for each status
      LABEL    text  "Pending"
      HREF     URL
      CURRENT  section, when it is the present one
      COUNT    text  "12", "1,000+": how many these are, where they are counted
      IN_ALL   section, when they are not counted under the filter: COUNT is without it
    REPLIES  section, for those who may reply
    FILTER  section: the form that filters the queue
      STATUS, PRODUCT, WORDS  text  as asked for
      RULES  section, where rules hold comments
        RULE  section, as those below
      RATING, LANGUAGE, REPLIED, SORT  section, one for each choice
        VALUE, LABEL  text
        CHOSEN  section, when it is asked for
    CONDITIONS  section, when something is filtered, or the order is not the usual one
      CONDITION  section, one for each
        LABEL  text  "1 star", "Held by: Link"; a product's name, or its id where no comment is left
        HREF   URL   the queue without it
      CLEAR_HREF  URL   the queue without any
    EARLY  section, when the filter passed over too many reviews to fill the page
    ROWS  section, when there are comments
      ROW  section, one for each
        ID, TAG, PRODUCT, RATING_VALUE, CREATED_ISO, CREATED_TEXT, TITLE, TEXT, AUTHOR, LANG,
        LANGUAGE_LABEL  text
        PRODUCT_HREF  URL   the queue of that product
        REST   text  the rest of a long text; optional
        PICTURE  section, one for each picture: a link, as a queue loads nothing from elsewhere
          URL  URL
          ALT  text  "Picture: the tent, pitched"
        ANONYMOUS  section, when the author is empty
        VERIFIED   section, when the product was bought
        HELD_TEXT  text  "Held: contains a link"; optional: absent where all comments wait
        REASON_TEXT, NOTE  text; optional
        REPORT  section, one for each report
          REPORT_TEXT  text
        REPLY  text  "Reply from Mia: Thank you."; optional
        REPORTED  section, when it is published, and reported
        HELD      section, when it is not published
        REPLY_FORM  section, for those who may reply
          REPLY_AUTHOR, REPLY_TEXT  text  what its fields have
          NEW         section, when there is no reply
          REPLIED_TO  section, when there is one
          SHOWN, WAITS  section, the one of these that the review is: published, or not
      ORDER  text  "Oldest first"
      REASON  section, one for each reason
        VALUE, LABEL  text
    EMPTY  section, when there is none
      EMPTY_TITLE    text  "No review waits."
      ROUND          text  "12 published, 3 rejected": what the moderator has decided; optional
      FIRST_HREF     URL  the first comments, where others may be; optional
      REPORTED_HREF, PENDING_HREF  URL  those of another status, where some are; optional
    PAGER  section, when there are comments before or after these
    PREVIOUS_HREF  URL  the comments before these; optional
    NEXT_HREF      URL  the following comments; optional
}}<!doctype html>
<html lang="en">
<head>
{{>head.tpl}}
<title>Moderation – {{SITE}}</title>
</head>
<body>
{{#QUEUE}}
{{#ROWS}}
<a class="skip" href="#queue">Skip to the reviews</a>
{{/ROWS}}
{{/QUEUE}}
{{>masthead.tpl}}
<main class="page moderation">
<header class="intro">
<h1>Moderation</h1>
{{#QUEUE}}
<form class="sign-out" method="post" action="{{PATH}}/moderation/sign-out">
<input type="hidden" name="form" value="{{FORM_VALUE}}">
<p>Signed in as <bdi>{{MODERATOR}}</bdi> <button class="plain" type="submit">Sign out</button></p>
</form>
{{/QUEUE}}
</header>
{{#SECRET}}
<form class="sign-in" method="post" action="{{PATH}}/moderation/session">
<input type="hidden" name="secret" value="{{SECRET}}">
<p>This demo lets you decide which reviews appear. The link works once.</p>
<button class="go" type="submit">Moderate the demo</button>
</form>
{{/SECRET}}
{{#SIGN_IN}}
<form class="sign-in" method="post" action="{{PATH}}/moderation/session">
<h2>Sign in</h2>
<p>Moderators decide here which reviews of {{SITE}} appear. Those who run its server make a token for each: <code>quire token new --scopes moderate</code></p>
{{#FAULT}}
<p class="fault" id="fault" role="alert">{{FAULT}}</p>
{{/FAULT}}
<label for="token">Token with the scope “moderate”</label>
<input id="token" type="password" name="token" required autocomplete="current-password" spellcheck="false"{{#FAULT}} aria-invalid="true" aria-describedby="fault"{{/FAULT}}>
<button class="go" type="submit">Sign in</button>
<p class="why">You stay signed in for an hour.</p>
</form>
{{/SIGN_IN}}
{{#QUEUE}}
{{#OUTCOME}}
<div class="outcome">
<p class="told{{#UNDO}} done{{/UNDO}}" role="status">{{TOLD}}</p>
{{#UNDO}}
<form id="undo" method="post" action="{{PATH}}/moderation/undo">
<input type="hidden" name="form" value="{{FORM_VALUE}}">
<input type="hidden" name="back" value="{{BACK}}">
<input type="hidden" name="undo" value="{{UNDO_NAME}}">
<input type="hidden" name="round_published" value="{{BEFORE_PUBLISHED}}">
<input type="hidden" name="round_rejected" value="{{BEFORE_REJECTED}}">
<button class="plain" type="submit">Undo{{#UNDO_ALL}} all {{UNDO_ALL}}{{/UNDO_ALL}}</button>
</form>
{{/UNDO}}
</div>
{{/OUTCOME}}
<nav class="orders" aria-label="Status">
<ul>
{{#KIND}}
<li><a class="order" href="{{HREF}}"{{#CURRENT}} aria-current="true"{{/CURRENT}}><span>{{LABEL}}{{#COUNT}} <small>{{COUNT}}{{#IN_ALL}} in all{{/IN_ALL}}</small>{{/COUNT}}</span></a></li>
{{/KIND}}
</ul>
</nav>
{{#FILTER}}
<details class="queue-filter">
<summary>Filter and order</summary>
<form method="get" action="{{PATH}}/moderation">
<input type="hidden" name="status" value="{{STATUS}}">
<p><label for="filter-product">Product</label><input id="filter-product" name="product" value="{{PRODUCT}}" maxlength="256" autocapitalize="none" spellcheck="false"></p>
<p><label for="filter-words">Words</label><input id="filter-words" type="search" name="q" value="{{WORDS}}" maxlength="200" spellcheck="false"></p>
<fieldset>
<legend>Rating</legend>
{{#RATING}}
<label><input type="checkbox" name="rating" value="{{VALUE}}" aria-label="{{LABEL}}"{{#CHOSEN}} checked{{/CHOSEN}}> {{VALUE}}</label>
{{/RATING}}
</fieldset>
<p><label for="filter-language">Language</label><select id="filter-language" name="language">
{{#LANGUAGE}}
<option value="{{VALUE}}"{{#CHOSEN}} selected{{/CHOSEN}}>{{LABEL}}</option>
{{/LANGUAGE}}
</select></p>
<p><label for="filter-replied">Reply</label><select id="filter-replied" name="replied">
{{#REPLIED}}
<option value="{{VALUE}}"{{#CHOSEN}} selected{{/CHOSEN}}>{{LABEL}}</option>
{{/REPLIED}}
</select></p>
{{#RULES}}
<p><label for="filter-rule">Held by</label><select id="filter-rule" name="rule">
{{#RULE}}
<option value="{{VALUE}}"{{#CHOSEN}} selected{{/CHOSEN}}>{{LABEL}}</option>
{{/RULE}}
</select></p>
{{/RULES}}
<p><label for="filter-sort">Order</label><select id="filter-sort" name="sort">
{{#SORT}}
<option value="{{VALUE}}"{{#CHOSEN}} selected{{/CHOSEN}}>{{LABEL}}</option>
{{/SORT}}
</select></p>
<button class="apply" type="submit">Show</button>
</form>
</details>
{{#CONDITIONS}}
<ul class="chips" aria-label="Filter and order">
{{#CONDITION}}
<li><a class="chip" href="{{HREF}}"><span class="sr">Remove </span><bdi>{{LABEL}}</bdi><svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M4 4l8 8M12 4l-8 8"/></svg></a></li>
{{/CONDITION}}
<li><a href="{{CLEAR_HREF}}">Remove the filter</a></li>
</ul>
{{/CONDITIONS}}
{{/FILTER}}
{{#EARLY}}
<p class="why">So many reviews were looked through here that the page ends. The next page goes on.</p>
{{/EARLY}}
{{#EMPTY}}
<div class="empty">
<p class="empty-title">{{EMPTY_TITLE}}</p>
{{#ROUND}}
<p>{{ROUND}}. Thank you.</p>
{{/ROUND}}
{{#FIRST_HREF}}
<p><a href="{{FIRST_HREF}}">First reviews</a></p>
{{/FIRST_HREF}}
{{#REPORTED_HREF}}
<p><a href="{{REPORTED_HREF}}">Look at the reported reviews</a></p>
{{/REPORTED_HREF}}
{{#PENDING_HREF}}
<p><a href="{{PENDING_HREF}}">Look at the pending reviews</a></p>
{{/PENDING_HREF}}
</div>
{{/EMPTY}}
{{#ROWS}}
{{>stars.tpl}}
<form class="decisions" method="post" action="{{PATH}}/moderation/decisions">
<button type="submit" disabled hidden>Enter in a field decides nothing</button>
<input type="hidden" name="form" value="{{FORM_VALUE}}">
<input type="hidden" name="back" value="{{BACK}}">
<input type="hidden" name="round_published" value="{{ROUND_PUBLISHED}}">
<input type="hidden" name="round_rejected" value="{{ROUND_REJECTED}}">
<div class="queue-top">
<label class="choose-all" hidden><input type="checkbox" id="choose-all"> Select all on this page</label>
<button class="plain" type="button" id="show-keys" hidden>Keys</button>
<p>{{ORDER}}</p>
</div>
<ul class="queue" id="queue" tabindex="-1">
{{#ROW}}
<li class="queued" id="r-{{ID}}" tabindex="-1">
<label class="choose"><input type="checkbox" name="chosen" value="{{ID}} {{TAG}}"><span class="sr">Choose the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></label>
<div class="queued-comment">
<p class="comment-top"><svg class="stars" role="img" aria-label="{{RATING_VALUE}} out of 5 stars"><use href="#stars-{{RATING_VALUE}}"/></svg><a href="{{PRODUCT_HREF}}"><bdi>{{PRODUCT}}</bdi></a><time datetime="{{CREATED_ISO}}">{{CREATED_TEXT}}</time></p>
<p class="comment-by">{{#AUTHOR}}<bdi dir="auto">{{AUTHOR}}</bdi>{{/AUTHOR}}{{#ANONYMOUS}}<span>Anonymous</span>{{/ANONYMOUS}}{{#VERIFIED}}<span class="verified">Verified purchase</span>{{/VERIFIED}}{{#LANGUAGE_LABEL}}<span class="language"><span class="sr">in </span>{{LANGUAGE_LABEL}}</span>{{/LANGUAGE_LABEL}}{{#HELD_TEXT}}<span class="held">{{HELD_TEXT}}</span>{{/HELD_TEXT}}{{#REASON_TEXT}}<span class="held">Rejected: {{REASON_TEXT}}</span>{{/REASON_TEXT}}</p>
{{#REPORT}}
<p class="held" dir="auto">{{REPORT_TEXT}}</p>
{{/REPORT}}
{{#TITLE}}
<h2 class="comment-title" dir="auto"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TITLE}}</h2>
{{/TITLE}}
{{#TEXT}}
<div class="comment-text" dir="auto"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{TEXT}}</div>
{{/TEXT}}
{{#REST}}
<details class="rest"><summary>Read the rest<span class="sr"> of the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></summary><div class="comment-text" dir="auto"{{#LANG}} lang="{{LANG}}"{{/LANG}}>{{REST}}</div></details>
{{/REST}}
{{#PICTURE}}
<p class="why"><a href="{{URL}}" rel="nofollow noopener noreferrer"><bdi>{{ALT}}</bdi></a></p>
{{/PICTURE}}
{{#REPLY}}
<p class="why" dir="auto">{{REPLY}}</p>
{{/REPLY}}
{{#NOTE}}
<p class="why" dir="auto">Note: {{NOTE}}</p>
{{/NOTE}}
</div>
<div class="decide">
{{#REPORTED}}
<button class="apply" type="submit" name="publish" value="{{ID}} {{TAG}}">Keep<span class="sr"> the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></button>
{{/REPORTED}}
{{#HELD}}
<button class="apply" type="submit" name="publish" value="{{ID}} {{TAG}}">Publish<span class="sr"> the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></button>
{{/HELD}}
<details class="reject" name="reject">
<summary class="go"><span class="when-closed">Reject</span><span class="when-open">Cancel</span><span class="sr"> the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></summary>
<div class="reject-fields">
<label class="sr" for="reason-{{ID}}">Reason to reject the review of {{CREATED_TEXT}} on {{PRODUCT}}</label>
<select id="reason-{{ID}}" name="reason-{{ID}}">
<option value="">Reason (required)</option>
{{#REASON}}
<option value="{{VALUE}}">{{LABEL}}</option>
{{/REASON}}
</select>
<label class="sr" for="note-{{ID}}">Note for moderators on the review of {{CREATED_TEXT}} on {{PRODUCT}}</label>
<input id="note-{{ID}}" name="note-{{ID}}" maxlength="1000"{{#NOTE}} value="{{NOTE}}"{{/NOTE}} placeholder="Note for moderators (optional)" autocomplete="off">
<button class="plain" type="submit" name="keep-note" value="{{ID}} {{TAG}}">Keep the note alone<span class="sr"> on the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></button>
<button class="go go-reject" type="submit" name="reject" value="{{ID}} {{TAG}}">Reject<span class="sr"> the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></button>
</div>
</details>
{{#REPLY_FORM}}
<details class="answer">
<summary>{{#NEW}}Reply{{/NEW}}{{#REPLIED_TO}}Change the reply{{/REPLIED_TO}}<span class="sr"> to the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></summary>
<label for="author-{{ID}}">Name<span class="sr"> under the reply to the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></label>
<input id="author-{{ID}}" form="reply-{{ID}}" name="author" value="{{REPLY_AUTHOR}}" maxlength="100" placeholder="The shop" autocomplete="off">
<label for="text-{{ID}}">Reply, for everyone to read{{#WAITS}} once the review is published{{/WAITS}}<span class="sr">, to the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></label>
<textarea id="text-{{ID}}" form="reply-{{ID}}" name="text" rows="4" required maxlength="10000" dir="auto">{{REPLY_TEXT}}</textarea>
<button class="apply" type="submit" form="reply-{{ID}}">{{#SHOWN}}Publish the reply{{/SHOWN}}{{#WAITS}}Keep the reply{{/WAITS}}<span class="sr"> to the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></button>
{{#REPLIED_TO}}
<button class="plain" type="submit" form="reply-{{ID}}" name="remove" value="1" formnovalidate>Remove the reply<span class="sr"> to the review of {{CREATED_TEXT}} on {{PRODUCT}}</span></button>
{{/REPLIED_TO}}
</details>
{{/REPLY_FORM}}
</div>
</li>
{{/ROW}}
</ul>
<div class="drafts" hidden>
<p role="status"></p>
<button class="apply" type="submit">Send</button>
</div>
<fieldset class="decide decide-all">
<legend id="selected">Selected reviews</legend>
<button class="plain" type="reset">Clear</button>
<button class="apply" type="submit" name="bulk" value="published">Publish</button>
<details class="reject" name="reject">
<summary class="go"><span class="when-closed">Reject</span><span class="when-open">Cancel</span></summary>
<div class="reject-fields">
<label class="sr" for="reason">Reason to reject them</label>
<select id="reason" name="reason">
<option value="">Reason (required)</option>
{{#REASON}}
<option value="{{VALUE}}">{{LABEL}}</option>
{{/REASON}}
</select>
<label class="sr" for="note">Note for moderators</label>
<input id="note" name="note" maxlength="1000" placeholder="Note for moderators" autocomplete="off">
<button class="go go-reject" type="submit" name="bulk" value="rejected">Reject</button>
</div>
</details>
</fieldset>
</form>
{{#ROW}}
{{#REPLY_FORM}}
<form id="reply-{{ID}}" method="post" action="{{PATH}}/moderation/reply">
<input type="hidden" name="form" value="{{FORM_VALUE}}">
<input type="hidden" name="back" value="{{BACK}}">
<input type="hidden" name="round_published" value="{{ROUND_PUBLISHED}}">
<input type="hidden" name="round_rejected" value="{{ROUND_REJECTED}}">
<input type="hidden" name="reply" value="{{ID}} {{TAG}}">
</form>
{{/REPLY_FORM}}
{{/ROW}}
{{/ROWS}}
{{#PAGER}}
<p class="pager steps">{{#PREVIOUS_HREF}}<a class="step step-previous" href="{{PREVIOUS_HREF}}" rel="prev">Previous reviews</a>{{/PREVIOUS_HREF}}{{#NEXT_HREF}}<a class="step step-next" href="{{NEXT_HREF}}" rel="next">Next reviews</a>{{/NEXT_HREF}}</p>
{{/PAGER}}
<dialog class="keys" id="keys" aria-labelledby="keys-title">
<h2 id="keys-title">Keys</h2>
<dl>
<div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>the next review, the one before</dd></div>
<div><dt><kbd>p</kbd></dt><dd>publish it, and go on</dd></div>
<div><dt><kbd>r</kbd></dt><dd>reject it: choose a reason, then <kbd>Enter</kbd></dd></div>
<div><dt><kbd>n</kbd></dt><dd>a note for moderators: <kbd>Enter</kbd> keeps it</dd></div>
{{#REPLIES}}
<div><dt><kbd>a</kbd></dt><dd>reply to it, for everyone to read</dd></div>
{{/REPLIES}}
<div><dt><kbd>u</kbd></dt><dd>take the last decision back; of those that are sent, all that were sent together</dd></div>
<div><dt><kbd>Enter</kbd></dt><dd>send what is decided; the last review of a page sends it, too</dd></div>
<div><dt><kbd>/</kbd></dt><dd>the filter</dd></div>
<div><dt><kbd>?</kbd></dt><dd>this sheet</dd></div>
</dl>
<form method="dialog">
<p><label><input type="checkbox" id="keys-on" checked> These keys work</label></p>
<button class="go" type="submit">Close</button>
</form>
</dialog>
{{/QUEUE}}
</main>
</body>
</html>
