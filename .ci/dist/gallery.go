package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// galleryPage is the page of help that lists all figures.
const galleryPage = "cmd/breadboard/topics/figures.md"

// galleryRow is a row of the page: the words behind breadboard, and what the figures show.
type galleryRow struct{ command, shows string }

// listedFigure matches a row of the page.
var listedFigure = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ?([^|\n]*?) ?\\|\n")

// placeholder matches what a reader has to replace in a command, which is not run.
var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)

// rowsOf returns the rows of the page, and where they begin and end in it.
func rowsOf(page string) (rows []galleryRow, from, until int) {
	for i, at := range listedFigure.FindAllStringSubmatchIndex(page, -1) {
		if until = at[1]; i == 0 {
			from = at[0]
		}
		rows = append(rows, galleryRow{page[at[2]:at[3]], page[at[4]:at[5]]})
	}
	return rows, from, until
}

// gallery runs all commands of the page of figures, and writes their figures as one page to a
// folder. It fails if the page does not list what they draw, unless that is to be written anew. It
// must be called at the root of the project.
func gallery(out, program string, update bool) error {
	text, err := os.ReadFile(galleryPage)
	if err != nil {
		return err
	}
	page := string(text)
	rows, from, until := rowsOf(page)
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if program == "" {
		program = filepath.Join(out, executable(runtime.GOOS))
		if err := build(runtime.GOOS, runtime.GOARCH, program, "./cmd/breadboard"); err != nil {
			return err
		}
	}
	var sheet, table strings.Builder
	sheet.WriteString(sheetHead)
	for i, r := range rows {
		if !placeholder.MatchString(r.command) {
			if r.shows, err = draw(&sheet, program, r.command, filepath.Join(out, fmt.Sprintf("%02d", i))); err != nil {
				return fmt.Errorf("breadboard %s: %w", r.command, err)
			}
		}
		fmt.Fprintf(&table, "| `%s` | %s |\n", r.command, r.shows)
	}
	if err := write(filepath.Join(out, "index.html"), []byte(sheet.String())); err != nil {
		return err
	}
	switch page = page[:from] + table.String() + page[until:]; {
	case page == string(text):
		return nil
	case update:
		return os.WriteFile(galleryPage, []byte(page), 0o666)
	}
	return fmt.Errorf("%s lists other figures than commands draw: go run ./.ci/dist gallery -update", galleryPage)
}

// sheetHead begins the page with all figures.
const sheetHead = `<!doctype html>
<meta charset="utf-8">
<title>Figures of breadboard</title>
<style>body { font: 14px sans-serif; margin: 1em } figure { display: inline-block; margin: 0.5em; vertical-align: top; max-width: 46% } img { max-width: 100% }</style>
<h1>Figures of breadboard</h1>
`

// ofOneKind is the largest number of figures of one kind that a command has on the page.
const ofOneKind = 4

// draw runs a command, adds its figures to a page, and returns what those of each kind show: behind
// a colon stands the case that a figure is about.
func draw(sheet *strings.Builder, program, command, folder string) (shows string, err error) {
	var said bytes.Buffer
	c := exec.Command(program, append(strings.Fields(command), "--figures", "svg", "--out", folder)...)
	c.Stderr = &said
	failed := c.Run() // a check that finds a fault draws figures too
	text, err := os.ReadFile(filepath.Join(folder, "run.json"))
	if err != nil {
		return "", errors.Join(failed, err, errors.New(said.String()))
	}
	var run struct {
		Files []struct{ Name, Title string }
	}
	if err := json.Unmarshal(text, &run); err != nil {
		return "", err
	}
	fmt.Fprintf(sheet, "<h2><code>breadboard %s</code></h2>\n", html.EscapeString(command))
	var kinds []string
	times := map[string]int{}
	for _, f := range run.Files {
		name, is := strings.CutSuffix(f.Name, ".svg")
		if !is {
			continue
		}
		kind, _, _ := strings.Cut(strings.NewReplacer("{", "", "}", "").Replace(f.Title), ": ")
		if times[kind]++; times[kind] == 1 {
			kinds = append(kinds, kind)
		} else if times[kind] > ofOneKind {
			continue
		}
		svg, err := os.ReadFile(filepath.Join(folder, f.Name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sheet, "<figure><img alt=%q src=\"data:image/svg+xml;base64,%s\"><figcaption>%s: %s</figcaption></figure>\n",
			html.EscapeString(f.Title), base64.StdEncoding.EncodeToString(svg), html.EscapeString(name), html.EscapeString(f.Title))
	}
	if kinds == nil {
		return "", errors.New("it draws no figure")
	}
	return strings.Join(kinds, "; "), nil
}
