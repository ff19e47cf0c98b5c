package reports

import (
	"fmt"

	"breadboard/reports/table"
)

// Build says what a program was built from and for.
type Build struct{ Version, Go, System, Processor string }

// VersionReport returns the report of a build: one line for people at a terminal, else a table.
func VersionReport(b Build) *Report {
	type property struct{ name, value string }
	t := table.New([]table.Field[property]{
		{Column: table.Column{Name: "name", Title: "name"}, Of: func(p *property) any { return p.name }},
		{Column: table.Column{Name: "value", Title: "value"}, Of: func(p *property) any { return p.value }},
	}, []property{{"breadboard", b.Version}, {"go", b.Go}, {"platform", b.System + "/" + b.Processor}})
	r := &Report{}
	r.add(Table{Name: "version", Table: t, Plain: func() (string, []string) {
		return fmt.Sprintf("breadboard %s, %s %s/%s\n", b.Version, b.Go, b.System, b.Processor), nil
	}})
	return r
}
