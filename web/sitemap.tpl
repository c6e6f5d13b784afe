{{%AUTOESCAPE context="XML"}}
{{!
  sitemap.tpl: the pages of products for search engines (sitemaps.org, 0.9): either PAGES, or, when
  there are too many for one file, PARTS that hold them. HREF: whole addresses.
}}<?xml version="1.0" encoding="utf-8"?>
{{#PAGES}}
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{{#PAGE}}
<url><loc>{{HREF}}</loc></url>
{{/PAGE}}
</urlset>
{{/PAGES}}
{{#PARTS}}
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{{#PART}}
<sitemap><loc>{{HREF}}</loc></sitemap>
{{/PART}}
</sitemapindex>
{{/PARTS}}
