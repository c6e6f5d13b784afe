// The rules of Google's schema of product reviews, version 2.4, as far as they are known: the order
// and the number of elements, texts that are not blank, and what numbers and times look like.
#pragma once

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

#include <cstdarg>
#include <memory>
#include <string>
#include <string_view>

namespace quire::google {

inline constexpr std::string_view schema = R"(<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
<xs:simpleType name="filled"><xs:restriction base="xs:string"><xs:pattern value="[\s\S]*\S[\s\S]*"/></xs:restriction></xs:simpleType>
<xs:simpleType name="address"><xs:restriction base="xs:anyURI"><xs:pattern value="https?://.+"/></xs:restriction></xs:simpleType>
<xs:simpleType name="gtin"><xs:restriction base="xs:string"><xs:pattern value="[\d \-xX]{7,}"/></xs:restriction></xs:simpleType>
<xs:simpleType name="stars"><xs:restriction base="xs:decimal"><xs:minInclusive value="1"/><xs:maxInclusive value="5"/></xs:restriction></xs:simpleType>
<xs:simpleType name="page"><xs:restriction base="xs:string"><xs:enumeration value="singleton"/><xs:enumeration value="group"/></xs:restriction></xs:simpleType>
<xs:complexType name="named"><xs:sequence><xs:element name="name" type="filled"/></xs:sequence></xs:complexType>
<xs:element name="feed"><xs:complexType><xs:sequence>
 <xs:element name="version"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="2.4"/></xs:restriction></xs:simpleType></xs:element>
 <xs:element name="aggregator" type="named" minOccurs="0"/>
 <xs:element name="publisher"><xs:complexType><xs:sequence>
  <xs:element name="name" type="filled"/><xs:element name="favicon" type="address" minOccurs="0"/>
 </xs:sequence></xs:complexType></xs:element>
 <xs:element name="reviews" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="review" type="review" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
  <xs:unique name="ids"><xs:selector xpath="review"/><xs:field xpath="review_id"/></xs:unique></xs:element>
</xs:sequence></xs:complexType></xs:element>
<xs:complexType name="review"><xs:sequence>
 <xs:element name="review_id" type="filled"/>
 <xs:element name="reviewer"><xs:complexType><xs:sequence>
  <xs:element name="name"><xs:complexType><xs:simpleContent><xs:extension base="filled"><xs:attribute name="is_anonymous" type="xs:boolean"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
  <xs:element name="reviewer_id" type="filled" minOccurs="0"/>
 </xs:sequence></xs:complexType></xs:element>
 <xs:element name="is_verified_purchase" type="xs:boolean" minOccurs="0"/>
 <xs:element name="is_incentivized_review" type="xs:boolean" minOccurs="0"/>
 <xs:element name="review_timestamp" type="xs:dateTime"/>
 <xs:element name="title" type="filled" minOccurs="0"/>
 <xs:element name="content" type="filled"/>
 <xs:element name="review_language" type="xs:language" minOccurs="0"/>
 <xs:element name="review_country" type="filled" minOccurs="0"/>
 <xs:element name="review_url"><xs:complexType><xs:simpleContent><xs:extension base="address"><xs:attribute name="type" type="page" use="required"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
 <xs:element name="reviewer_images" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="reviewer_image" maxOccurs="unbounded"><xs:complexType><xs:sequence><xs:element name="url" type="address"/></xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
 <xs:element name="ratings"><xs:complexType><xs:sequence><xs:element name="overall"><xs:complexType><xs:simpleContent><xs:extension base="stars">
  <xs:attribute name="min" type="xs:integer" fixed="1" use="required"/><xs:attribute name="max" type="xs:integer" fixed="5" use="required"/>
 </xs:extension></xs:simpleContent></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
 <xs:element name="products"><xs:complexType><xs:sequence><xs:element name="product" maxOccurs="unbounded"><xs:complexType><xs:sequence>
  <xs:element name="product_ids" minOccurs="0"><xs:complexType><xs:sequence>
   <xs:element name="gtins" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="gtin" type="gtin" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
   <xs:element name="mpns" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="mpn" type="filled" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
   <xs:element name="skus" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="sku" type="filled" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
   <xs:element name="brands" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="brand" type="filled" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
  <xs:element name="product_name" type="filled" minOccurs="0"/>
  <xs:element name="product_url" type="address"/>
 </xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
</xs:sequence></xs:complexType>
</xs:schema>)";

// Takes what libxml2 tells of faults. `out`: a std::string.
[[gnu::format(printf, 2, 3)]] inline void add_fault(void* out, const char* format, ...) {
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  *static_cast<std::string*>(out) += text;
}

// Why the feed is not valid. Empty: it is.
inline std::string fault_of(std::string_view feed) {
  std::string faults;
  std::unique_ptr<xmlSchemaParserCtxt, decltype(&xmlSchemaFreeParserCtxt)> parser(
      xmlSchemaNewMemParserCtxt(schema.data(), static_cast<int>(schema.size())),
      xmlSchemaFreeParserCtxt);
  xmlSchemaSetParserErrors(parser.get(), add_fault, add_fault, &faults);
  std::unique_ptr<xmlSchema, decltype(&xmlSchemaFree)> rules(xmlSchemaParse(parser.get()),
                                                             xmlSchemaFree);
  if (!rules) return "the schema is not valid: " + faults;
  std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)> document(
      xmlReadMemory(feed.data(), static_cast<int>(feed.size()), nullptr, nullptr,
                    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_HUGE),
      xmlFreeDoc);
  if (!document) return "this is no XML";
  std::unique_ptr<xmlSchemaValidCtxt, decltype(&xmlSchemaFreeValidCtxt)> validator(
      xmlSchemaNewValidCtxt(rules.get()), xmlSchemaFreeValidCtxt);
  xmlSchemaSetValidErrors(validator.get(), add_fault, add_fault, &faults);
  if (xmlSchemaValidateDoc(validator.get(), document.get()) != 0 && faults.empty())
    return "it is not valid";
  return faults;
}

}  // namespace quire::google
