{{!
  head.tpl: the head of every page. Included by the other templates.

  STYLE_HREF     URL   of style.css, with its hash
  MODERATION_STYLE_HREF  URL  of moderation.css, with its hash; optional
  SCRIPT_HREF    URL   of script.js, with its hash
  MODERATION_SCRIPT_HREF  URL  of moderation.js, with its hash; optional
  SHOP_STYLE_HREF  URL   the shop's style sheet, with its hash; optional
  ICON_HREF      URL   of favicon.svg with Quire's name, else of the logo; optional
  PRODUCTS_HREF  URL   the list of products; of other templates
  UI_ASKED       text  the language that the address asks for; of forms; optional
  UI, UI_DIR     text  the language of the page, as of BCP 47, and its direction, "ltr" or "rtl"; of html
  PATH           URL   the path below which all addresses are: "/reviews", or empty; of forms
  CANONICAL_HREF  URL   the page's canonical address; optional
  PREVIOUS_HREF   URL   the same as the page's own; optional
  NEXT_HREF       URL   the same as the page's own; optional
  FEED_HREF       URL   the Atom feed; optional
  NOINDEX        section, optional: keeps the page out of search engines
  DESCRIPTION     text  one or two sentences that search engines may show; optional
  JSON_LD         JSON  structured data, as JSON; optional
}}<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{{#DESCRIPTION}}
<meta name="description" content="{{DESCRIPTION}}">
{{/DESCRIPTION}}
{{#NOINDEX}}
<meta name="robots" content="noindex, follow">
{{/NOINDEX}}
<link rel="stylesheet" href="{{STYLE_HREF}}">
{{#MODERATION_STYLE_HREF}}
<link rel="stylesheet" href="{{MODERATION_STYLE_HREF}}">
{{/MODERATION_STYLE_HREF}}
{{#SHOP_STYLE_HREF}}
<link rel="stylesheet" href="{{SHOP_STYLE_HREF}}">
{{/SHOP_STYLE_HREF}}
{{#ICON_HREF}}
<link rel="icon" href="{{ICON_HREF}}">
{{/ICON_HREF}}
{{#CANONICAL_HREF}}
<link rel="canonical" href="{{CANONICAL_HREF}}">
{{/CANONICAL_HREF}}
{{#PREVIOUS_HREF}}
<link rel="prev" href="{{PREVIOUS_HREF}}">
{{/PREVIOUS_HREF}}
{{#NEXT_HREF}}
<link rel="next" href="{{NEXT_HREF}}">
{{/NEXT_HREF}}
{{#FEED_HREF}}
<link rel="alternate" type="application/atom+xml" title="{{:latest_comments}}" href="{{FEED_HREF}}">
{{/FEED_HREF}}
{{#JSON_LD}}
<script type="application/ld+json">{{JSON_LD}}</script>
{{/JSON_LD}}
<script src="{{SCRIPT_HREF}}" defer></script>
{{#MODERATION_SCRIPT_HREF}}
<script src="{{MODERATION_SCRIPT_HREF}}" defer></script>
{{/MODERATION_SCRIPT_HREF}}
