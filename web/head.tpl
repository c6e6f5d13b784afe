{{!
  head.tpl: the head of every page. Included by the other templates.

  STYLE_HREF     URL   of style.css, with its hash
  SCRIPT_HREF    URL   of script.js, with its hash
  ICON_HREF      URL   of favicon.svg, with its hash
  HOME_HREF      URL   the list of products; other templates and masthead.tpl use it, too
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
<link rel="icon" type="image/svg+xml" href="{{ICON_HREF}}">
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
<link rel="alternate" type="application/atom+xml" title="Latest comments" href="{{FEED_HREF}}">
{{/FEED_HREF}}
{{#JSON_LD}}
<script type="application/ld+json">{{JSON_LD}}</script>
{{/JSON_LD}}
<script src="{{SCRIPT_HREF}}" defer></script>
