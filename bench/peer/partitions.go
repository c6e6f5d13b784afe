package main

// One partition of an index: those comments of a product that share language, rating, both or neither.
type partition struct {
	index     string
	attribute string // that holds the partition key in this index
	key       string
}

// The partitions that together hold what a filter asks for; nothing asked for means any.
func selected(product string, languages, ratings []string) []partition {
	base := "PRODUCT#" + product
	switch {
	case len(languages) == 0 && len(ratings) == 0:
		return []partition{{"all", "GSI4PK", base}}
	case len(ratings) == 0:
		return each("byLang", "GSI2PK", base, languages)
	case len(languages) == 0:
		return each("byRating", "GSI3PK", base, ratings)
	}
	var both []partition
	for _, language := range languages {
		both = append(both, each("byLangAndRating", "GSIPK", base+"/"+language, ratings)...)
	}
	return both
}

func each(index, attribute, base string, values []string) []partition {
	partitions := make([]partition, len(values))
	for i, value := range values {
		partitions[i] = partition{index, attribute, base + "/" + value}
	}
	return partitions
}
