{{!
  masthead.tpl: the line at the top of every page. Included by the other templates.

  SITE  text     the shop's name, else "Quire"; also in each page's title
  MARK  section, with Quire's name: its mark beside it
  LOGO_HREF  URL   the shop's logo; optional
  HOME_HREF  URL   the shop's own pages, else the list of products
  DEMO  section, optional: says that anyone on this machine may post
}}<header class="masthead">
<div class="masthead-inner">
<a class="brand" href="{{HOME_HREF}}" target="_top">{{#MARK}}<svg class="brand-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M3 6l9 13 9-13"/><path d="M7.5 6L12 12.5 16.5 6"/></svg>{{/MARK}}{{#LOGO_HREF}}<img class="logo" src="{{LOGO_HREF}}" alt="{{SITE}}" height="32">{{/LOGO_HREF}}{{#NO_LOGO}}<span dir="auto">{{SITE}}</span>{{/NO_LOGO}}</a>
{{#DEMO}}
<p class="demo">{{:demo}}</p>
{{/DEMO}}
</div>
</header>
