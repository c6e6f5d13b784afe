{{!
  head.tpl: the head of every page. Included as HEAD by the other templates.
  An include does not see the including page's variables, so set these on the dictionary that
  AddIncludeDictionary("HEAD") returns, or with SetTemplateGlobalValue on the page's dictionary.

  STYLE_HREF     URL   of style.css, with its hash
  SCRIPT_HREF    URL   of script.js, with its hash
  ICON_HREF      URL   of favicon.svg, with its hash
  HAS_CANONICAL  section, optional
    CANONICAL_HREF  URL   the page's canonical address
  HAS_PREVIOUS   section, optional
    PREVIOUS_HREF   URL   the same as the page's own
  HAS_NEXT       section, optional
    NEXT_HREF       URL   the same as the page's own
  HAS_FEED       section, optional
    FEED_HREF       URL   the Atom feed
  NOINDEX        section, optional: keeps the page out of search engines
  HAS_DESCRIPTION  section, optional
    DESCRIPTION     text  one or two sentences that search engines may show
  HAS_JSON_LD    section, optional
    JSON_LD         JSON  structured data, put out as it is (:none): give it with every less-than sign,
                          greater-than sign and ampersand written as \u003c, \u003e and \u0026
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
