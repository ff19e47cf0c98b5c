package table

import (
	"fmt"
	"io"
	"strings"
)

// writeLaTeX writes the columns for people as a tabular of LaTeX with the package booktabs.
func (t *Table) writeLaTeX(w io.Writer) error {
	p := t.forPeople()
	align := ""
	for _, number := range p.numeric {
		if number {
			align += "r"
		} else {
			align += "l"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\\begin{tabular}{%s}\n\\toprule\n", align)
	latexRow(&b, p.header)
	b.WriteString("\\midrule\n")
	for _, row := range p.rows {
		latexRow(&b, row)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexRow writes a row. At the start of a row LaTeX would read a bracket or a star as an argument of the \\ that ends the
// row before, so it is written in braces there.
func latexRow(b *strings.Builder, cells []string) {
	for i, c := range cells {
		c = latexEscaper().Replace(c)
		if i > 0 {
			b.WriteString(" & ")
		} else if strings.HasPrefix(c, "[") || strings.HasPrefix(c, "*") {
			c = "{" + c[:1] + "}" + c[1:]
		}
		b.WriteString(c)
	}
	b.WriteString(" \\\\\n")
}

func latexEscaper() *strings.Replacer {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "<", `$<$`, ">", `$>$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)
}
