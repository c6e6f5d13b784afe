{{!
  find.tpl: the field to find products: the values of section FIND. Included by other templates.

  FIND_LABEL  text  "Find a product"; of many products "Product ID begins with"
  FIND_VALUE  text  what was asked for; empty when nothing was
}}<form class="find-product" method="get" action="{{PRODUCTS_HREF}}" target="_top" role="search" aria-label="{{:products}}">
{{#UI_ASKED}}
<input type="hidden" name="ui" value="{{UI_ASKED}}">
{{/UI_ASKED}}
<label for="find">{{FIND_LABEL}}</label>
<span class="find-field"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"><circle cx="8.5" cy="8.5" r="5.5"/><path d="M12.8 12.8L17 17"/></svg><input id="find" type="search" name="find" value="{{FIND_VALUE}}" maxlength="256" autocapitalize="none" spellcheck="false"></span>
<button class="go" type="submit">{{:find}}</button>
</form>
