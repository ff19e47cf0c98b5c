package table

import (
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// writeText writes the columns for people as a box of text.
func (t *Table) writeText(w io.Writer) error {
	light := tw.Rendition{
		Symbols: tw.NewSymbols(tw.StyleLight),
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
	}
	return render(w, t.forPeople(), renderer.NewBlueprint(light))
}

// render writes a table with tablewriter.
func render(w io.Writer, t peopleTable, r tw.Renderer) error {
	align := make([]tw.Align, len(t.header))
	for i := range t.header {
		align[i] = tw.AlignLeft
		if t.numeric[i] {
			align[i] = tw.AlignRight
		}
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{PerColumn: align},
	}
	out := tablewriter.NewTable(w, tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}), tablewriter.WithRenderer(r))
	out.Header(t.header)
	for _, row := range t.rows {
		if err := out.Append(row); err != nil {
			return err
		}
	}
	return out.Render()
}
