{{!
  masthead.tpl: the line at the top of every page. Included by the other templates.

  SITE  text     the shop's name, else "Quire"; also in each page's title
  MARK  section, with Quire's name: its mark beside it
  DEMO  section, optional: says that anyone on this machine may post
}}<header class="masthead">
<div class="masthead-inner">
<a class="brand" href="{{HOME_HREF}}">{{#MARK}}<svg class="brand-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M3 6l9 13 9-13"/><path d="M7.5 6L12 12.5 16.5 6"/></svg>{{/MARK}}<span dir="auto">{{SITE}}</span></a>
{{#DEMO}}
<p class="demo">Demo: anyone on this machine may post.</p>
{{/DEMO}}
</div>
</header>
