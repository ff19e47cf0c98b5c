package reports

import (
	"cmp"
	"fmt"

	"breadboard/reports/table"
)

// Build says from which version and commit a program was built, with which Go, for which system and processor, and which vectors of
// that processor it uses. An empty commit is not known.
type Build struct{ Version, Commit, Go, System, Processor, Vectors string }

// VersionReport returns the report of a build: one line of text in the format table.Text, and a table in the others.
func VersionReport(b Build) *Report {
	r := &Report{}
	r.Add(Table{Name: "version", Table: VersionTable(b), Plain: func() (string, []string) {
		return fmt.Sprintf("breadboard %s, %s %s/%s, vectors: %s\n", b.Version, b.Go, b.System, b.Processor, b.Vectors), nil
	}})
	return r
}

// VersionTable returns the table of a build.
func VersionTable(b Build) *table.Table {
	type property struct{ name, value string }
	return table.New([]table.Field[property]{
		{Column: table.Column{Name: "name", Type: table.String, Title: "name", Meaning: "breadboard, commit, go, platform or vectors"}, Of: func(p *property) any { return p.name }},
		{Column: table.Column{Name: "value", Type: table.String, Title: "value", Meaning: "its version, or what it is"}, Of: func(p *property) any { return p.value }},
	}, []property{{"breadboard", b.Version}, {"commit", cmp.Or(b.Commit, "(unknown)")}, {"go", b.Go}, {"platform", b.System + "/" + b.Processor}, {"vectors", b.Vectors}})
}
