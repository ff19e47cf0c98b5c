package table

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// writeLaTeX writes the columns for people as a tabular of LaTeX with the package booktabs. Powers
// of ten and signs are set in mathematics, or with the package siunitx in its columns and its \num.
func (t *Table) writeLaTeX(w io.Writer, s Style) error {
	p := t.forPeople(s.Digits)
	align := make([]string, len(p.header))
	for i, number := range p.numeric {
		switch {
		case number && s.SIUnitx:
			align[i] = p.siunitxColumn(i)
		case number:
			align[i] = "r"
		default:
			align[i] = "l"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\\begin{tabular}{%s}\n\\toprule\n", strings.Join(align, ""))
	header := make([]string, len(p.header))
	for i, h := range p.header {
		header[i] = latexHeading(h)
		if p.numeric[i] && s.SIUnitx {
			header[i] = "{" + header[i] + "}"
		}
	}
	latexRow(&b, header)
	b.WriteString("\\midrule\n")
	for _, row := range p.rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = latexCell(c, p.numeric[i], s.SIUnitx)
		}
		latexRow(&b, cells)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexRow writes a row. At the start of a row LaTeX would read a bracket or a star as an argument
// of the \\ that ends the row before, so it is written in braces there.
func latexRow(b *strings.Builder, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteString(" & ")
		} else if strings.HasPrefix(c, "[") || strings.HasPrefix(c, "*") {
			c = "{" + c[:1] + "}" + c[1:]
		}
		b.WriteString(c)
	}
	b.WriteString(" \\\\\n")
}

// latexHeading returns a heading, in which +/- is one sign.
func latexHeading(h string) string {
	if rest, is := strings.CutPrefix(h, "+/-"); is {
		return `$\pm$` + latexEscaper().Replace(rest)
	}
	return latexEscaper().Replace(h)
}

// shownNumber is a number as people see it: perhaps a bound, a sign, digits, and perhaps a power of
// ten.
func shownNumber() *regexp.Regexp {
	return regexp.MustCompile(`^(< )?(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?)0*([0-9]+))?$`)
}

// latexCell returns a cell. In a column of numbers of siunitx whatever is no number stands in
// braces.
func latexCell(cell string, numeric, siunitx bool) string {
	m := shownNumber().FindStringSubmatch(cell)
	infinity, infinite := map[string]string{"+Inf": `$\infty$`, "-Inf": `$-\infty$`}[cell]
	switch {
	case cell == "":
		return ""
	case infinite && numeric && siunitx:
		return "{" + infinity + "}"
	case infinite && numeric:
		return infinity
	case m == nil && numeric && siunitx:
		return "{" + latexEscaper().Replace(cell) + "}"
	case m == nil:
		return latexEscaper().Replace(cell)
	case siunitx && numeric && m[1] == "":
		return cell
	case siunitx && m[1] == "" && m[2] == "" && m[6] == "":
		return cell // a text that is a plain number, such as the label of a state
	case siunitx && m[1] == "":
		return `\num{` + cell + "}"
	case siunitx:
		return `{$<$ \num{` + strings.TrimPrefix(cell, m[1]) + "}}"
	case m[1] == "" && m[2] == "" && m[6] == "":
		return cell
	}
	text := strings.TrimSuffix(m[1], " ") + m[2] + m[3]
	if m[4] != "" {
		text += "." + m[4]
	}
	if m[6] != "" {
		text += `\times10^{` + strings.TrimPrefix(m[5], "+") + m[6] + "}"
	}
	return "$" + text + "$"
}

// siunitxColumn returns the column of siunitx in which the numbers of a column fit, with their
// points beneath each other: the most digits before and behind the point and of the exponent, and
// signs if there are some.
func (p peopleTable) siunitxColumn(column int) string {
	var sign, exponentSign string
	before := 1
	behind := 0
	exponent := 0
	for _, row := range p.rows {
		m := shownNumber().FindStringSubmatch(row[column])
		if m == nil || m[1] != "" {
			continue
		}
		before = max(before, len(m[3]))
		behind = max(behind, len(m[4]))
		exponent = max(exponent, len(m[6]))
		if m[2] == "-" {
			sign = "-"
		}
		if m[5] == "-" {
			exponentSign = "-"
		}
	}
	format := fmt.Sprintf("%s%d", sign, before)
	if behind > 0 {
		format += fmt.Sprintf(".%d", behind)
	}
	if exponent > 0 {
		format += fmt.Sprintf("e%s%d", exponentSign, exponent)
	}
	return "S[table-format=" + format + "]"
}

func latexEscaper() *strings.Replacer {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "<", `$<$`, ">", `$>$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)
}
