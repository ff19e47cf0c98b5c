// Package page answers: how do the results of runs look in a browser, as one file that can be
// passed on? It reads the folders of runs and sweeps and single tables, and writes HTML that
// contains everything: tables that sort and filter, figures, the data with all digits, and how each
// was made. The page loads nothing from elsewhere, and runs no script but its own.
//
// The input may come from anywhere. Files are of limited size, names lead only into their own
// folder, text is shown as text, and a figure is shown only if it has nothing that figures of this
// program do not have.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
	"unicode"

	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/table"
)

// Page is a report with all that it shows.
type Page struct {
	Title    string
	Made     time.Time // when the page was made
	Version  string    // of the program that has made it
	Command  string    // the command line that has made it
	Sections []Section
}

// Section is what the page shows of a run, of a sweep, or of a single file.
type Section struct {
	ID    string
	Title string
	// Facts say how the results were made: each is a name and what it is.
	Facts   []Fact
	Inputs  []reports.RunInput
	Partial bool   // whether the run was interrupted
	Fault   string // why a run has failed although it has results; empty if it has not
	Notes   []string
	Missing []string // what cannot be shown, and why
	Tables  []*Table
	Figures []Figure
}

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// Figure is a drawing with its data.
type Figure struct {
	ID      string
	Title   string
	File    string        // the name of its file
	About   string        // what it shows, as the drawing itself says it
	Picture template.HTML // from cleanPicture
	Data    *Table        // what is drawn; nil if no file has it
}

// assets are the parts of every page: its frame, its style and its script.
//
//go:embed assets/page.html assets/page.css assets/page.js
var assets embed.FS

// firstRows is the number of rows of a table that a page shows at first, and that it shows on paper
// by default.
const firstRows = 50

// asset returns a part of every page.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return strings.TrimSpace(string(text))
}

// hashOf returns what a policy says of a style or a script that it allows.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the page as HTML. The same page always gives the same bytes.
func (p *Page) Write(w io.Writer) error {
	style := asset("page.css")
	script := asset("page.js")
	data, err := json.Marshal(map[string]any{"title": p.Title, "tables": p.tables(), "first": firstRows})
	if err != nil {
		return err
	}
	frame, err := template.New("page").Funcs(functions()).Parse(asset("page.html"))
	if err != nil {
		return err
	}
	var html bytes.Buffer
	err = frame.Execute(&html, map[string]any{
		"Page": p, "Style": template.CSS(style), "Script": template.JS(script), "Data": template.JS(data),
		"Policy": fmt.Sprintf(
			"default-src 'none'; script-src %s; style-src %s; img-src data:; base-uri 'none'; form-action 'none'",
			hashOf(script),
			hashOf(style),
		),
	})
	if err != nil {
		return err
	}
	return printable(w, html.String())
}

// printable writes a page without the characters that would reverse or hide what follows, wherever
// its texts are from. Those in the data are escaped, so that saved files have them.
func printable(w io.Writer, html string) error {
	for line := range strings.Lines(html) {
		text, end := strings.CutSuffix(line, "\n")
		if strings.HasPrefix(text, dataTag) {
			text = escaped(text)
		}
		if _, err := io.WriteString(w, table.People(text, 0)+map[bool]string{true: "\n"}[end]); err != nil {
			return err
		}
	}
	return nil
}

// dataTag begins the line of the page that has the data in JSON.
const dataTag = `<script type="application/json" id="data">`

// escaped writes the characters of JSON that people cannot see as escapes, which mean the same.
func escaped(json string) string {
	var b strings.Builder
	for _, r := range json {
		if unicode.In(r, unicode.Cc, unicode.Bidi_Control) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// tables returns all tables of a page, those of figures too.
func (p *Page) tables() []*Table {
	list := []*Table{}
	for _, s := range p.Sections {
		list = append(list, s.Tables...)
		for _, f := range s.Figures {
			if f.Data != nil {
				list = append(list, f.Data)
			}
		}
	}
	return list
}

// functions are those that the frame of the page uses.
func functions() template.FuncMap {
	return template.FuncMap{
		"bytes": selector.Bytes,
		"date":  func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
		"stamp": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"input": inputText,
		"view":  func(t *Table) view { return viewOf(t) },
	}
}

// inputText says what is known of an input beside its path.
func inputText(in reports.RunInput) string {
	var parts []string
	if in.SHA256 != "" {
		parts = append(parts, selector.Bytes(in.Bytes), "SHA-256 "+in.SHA256)
	}
	if in.Note != "" {
		parts = append(parts, in.Note)
	}
	return strings.Join(parts, ", ")
}

// view is a table as a page shows it before its script runs.
type view struct {
	*Table
	Same    []Fact // the hidden columns that are the same in all rows, with what stands there
	Visible []*Column
	First   [][]viewCell
}

// viewCell is a cell of a view.
type viewCell struct {
	Text, Whole string // Whole is the number with all digits, where Text has fewer
	Number      bool
}

// viewOf returns the first rows of a table, in the columns that are not hidden.
func viewOf(t *Table) view {
	v := view{Table: t}
	for i := range t.Columns {
		c := &t.Columns[i]
		if cell, same := c.CommonCell(); same && c.Hidden && cell != "" {
			v.Same = append(v.Same, Fact{c.Name, cell})
		}
		if c.Hidden {
			continue
		}
		v.Visible = append(v.Visible, c)
	}
	for j := range min(t.Rows, firstRows) {
		var row []viewCell
		for _, c := range v.Visible {
			cell := viewCell{Text: c.Cell(j), Number: c.Number}
			if cell.Text != c.Raw[j] {
				cell.Whole = c.Raw[j]
			}
			row = append(row, cell)
		}
		v.First = append(v.First, row)
	}
	return v
}
