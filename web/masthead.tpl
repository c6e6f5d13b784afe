{{!
  masthead.tpl: the line at the top of every page. Included by the other templates.

  DEMO  section, optional: says that anyone on this machine may post
}}<header class="masthead">
<div class="masthead-inner">
<a class="brand" href="/"><svg class="brand-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M3 6l9 13 9-13"/><path d="M7.5 6L12 12.5 16.5 6"/></svg><span>Quire</span></a>
{{#DEMO}}
<p class="demo">Demo: anyone on this machine may post.</p>
{{/DEMO}}
</div>
</header>
