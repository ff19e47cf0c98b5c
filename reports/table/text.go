package table

import (
	"bytes"
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// writeText writes the columns for people as a box of text, fitted to the width of the style. No line ends in blanks.
func (t *Table) writeText(w io.Writer, s Style) (Fit, error) {
	p, fit := t.forPeople(s.Digits).narrow().fitted(s.Width)
	if s.Colour {
		p.colour()
	}
	light := tw.Rendition{
		Symbols: tw.NewSymbols(tw.StyleLight),
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
	}
	var box bytes.Buffer
	if err := render(&box, p, renderer.NewBlueprint(light)); err != nil {
		return fit, err
	}
	lines := bytes.Split(box.Bytes(), []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.TrimRight(line, " ")
	}
	_, err := w.Write(bytes.Join(lines, []byte("\n")))
	return fit, err
}

// The sequences of characters that make a terminal write in another colour, and that end it.
const (
	green     = "\x1b[32m"
	red       = "\x1b[31m"
	yellow    = "\x1b[33m"
	noColours = "\x1b[0m"
)

// Coloured returns a verdict in its colour on a terminal: pass in green, fault in red and open in yellow. Other words stay as
// they are.
func Coloured(verdict string) string {
	colour, known := map[string]string{"pass": green, "fault": red, "open": yellow}[verdict]
	if !known {
		return verdict
	}
	return colour + verdict + noColours
}

// colour colours the cells of columns of verdicts.
func (p *peopleTable) colour() {
	for i, c := range p.columns {
		if c.Name != "verdict" {
			continue
		}
		for _, row := range p.rows {
			row[i] = Coloured(row[i])
		}
	}
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
