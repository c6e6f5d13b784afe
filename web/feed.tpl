{{!
  feed.tpl: the latest comments of a product, as Atom (RFC 4287).

  TITLE, ID, SELF_HREF, PAGE_HREF  text
  UPDATED  text  the newest of the entries
  ENTRY  section, one for each comment, newest first
    ID, HREF  its permanent name and its readable address
    TITLE, AUTHOR, TEXT, LANG  text
    PUBLISHED, UPDATED  text  when it was written, and when it was changed last, as far as that is known
    PICTURE  section, one for each picture
      URL  text
}}<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>{{TITLE}}</title>
<id>{{ID}}</id>
<link rel="self" type="application/atom+xml" href="{{SELF_HREF}}"/>
<link rel="alternate" type="text/html" href="{{PAGE_HREF}}"/>
<updated>{{UPDATED}}</updated>
{{#ENTRY}}
<entry>
<title>{{TITLE}}</title>
<id>{{ID}}</id>
<link rel="alternate" type="text/html" href="{{HREF}}"/>
{{#PICTURE}}
<link rel="enclosure" href="{{URL}}"/>
{{/PICTURE}}
<published>{{PUBLISHED}}</published>
<updated>{{UPDATED}}</updated>
<author><name>{{AUTHOR}}</name></author>
<content type="text" xml:lang="{{LANG}}">{{TEXT}}</content>
</entry>
{{/ENTRY}}
</feed>
