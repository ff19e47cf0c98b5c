package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// record is what a check came to: a line of verdicts.txt.
type record struct {
	name, version   string // the name is that of the package's folder, a slash and that of the check
	verdict, after  string
	control, behind string // the verdict of the control, and after how many draws
}

const heading = "# check\tversion\tverdict\tafter\tcontrol\tafter\n"

// write returns the text of records, a line each.
func write(records []record) string {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, heading)
	for _, r := range records {
		fmt.Fprintln(w, strings.Join(
			[]string{glue(r.name), r.version, r.verdict, glue(r.after), r.control, glue(r.behind)},
			"\t",
		))
	}
	w.Flush()
	return text.String()
}

// read is the inverse of write.
func read(text string) ([]record, error) {
	var records []record
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		if len(f) != 6 {
			return nil, fmt.Errorf("%q has %d fields, and not 6", line, len(f))
		}
		records = append(records, record{part(f[0]), f[1], f[2], part(f[3]), f[4], part(f[5])})
	}
	return records, nil
}

// glue and part make one field of a text with blanks, and the text again.
func glue(text string) string { return strings.ReplaceAll(text, " ", "_") }
func part(text string) string { return strings.ReplaceAll(text, "_", " ") }

// changes says which verdicts are not those that were recorded, with the versions of both.
func changes(before, now []record) []string {
	var lines []string
	for _, r := range now {
		i := slices.IndexFunc(before, func(b record) bool { return b.name == r.name })
		if i < 0 {
			lines = append(lines, fmt.Sprintf("%s (version %s) is new: %s, control %s",
				r.name, r.version, r.verdict, r.control))
		} else if b := before[i]; b.verdict != r.verdict || b.control != r.control {
			lines = append(lines,
				fmt.Sprintf("%s: %s, control %s with version %s; recorded are %s, control %s with version %s",
					r.name, r.verdict, r.control, r.version, b.verdict, b.control, b.version))
		}
	}
	return lines
}
