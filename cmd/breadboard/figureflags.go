package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/plot/vg"

	"breadboard/chains/selector"
	"breadboard/reports/figure"
)

// figureFlags say how the figures that --out writes look, and in which formats they are written.
type figureFlags struct {
	style   figure.Style
	formats []string // nil for all
}

func (f *figureFlags) addFlags(c *cobra.Command) {
	flags := c.PersistentFlags()
	flags.Var((*formatsValue)(&f.formats), "figures", "the formats of figures in --out, as in svg,png; known: "+strings.Join(figure.Formats(), ", ")+" (default all)")
	flags.Var(&lengthValue{&f.style.Width, func(v vg.Length) figure.Style { return figure.Style{Width: v} }}, "width",
		"how wide figures are, as in 3.25in, 8.5cm, 85mm or 240pt; heights follow, and letters stay readable (default that of each figure)")
	flags.Var(&lengthValue{&f.style.FontSize, func(v vg.Length) figure.Style { return figure.Style{FontSize: v} }}, "font-size",
		"the size of letters in figures, as in 8pt (default 10pt, and 8pt in print, in mono and in figures narrower than 12cm)")
	flags.Var((*lookValue)(&f.style.Look), "style", "what figures are for: "+strings.Join(figure.Looks(), ", ")+"; print has smaller letters and thinner lines, mono is print in greys and dashes")
	completeOne(c, "style", among(selector.Plain(figure.Looks())))
	completeList(c, "figures", among(selector.Plain(figure.Formats())))
}

// figureWords returns the flags of figures that a command was given, as words of a command line.
func figureWords(c *cobra.Command) (words []string) {
	known := &cobra.Command{}
	new(figureFlags).addFlags(known)
	known.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if given := c.Flag(f.Name); given != nil && given.Changed {
			words = append(words, "--"+f.Name+"="+given.Value.String())
		}
	})
	return words
}

// formatsValue is a flag that takes formats of figures separated by commas.
type formatsValue []string

func (v *formatsValue) String() string { return strings.Join(*v, ",") }
func (v *formatsValue) Type() string   { return "FORMAT,..." }
func (v *formatsValue) Set(s string) error {
	var formats []string
	for part := range strings.SplitSeq(s, ",") {
		format := strings.ToLower(strings.TrimSpace(part))
		if !slices.Contains(figure.Formats(), format) {
			return selector.UnknownError("format of figures", format, figure.Formats())
		}
		if !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	*v = formats
	return nil
}

// lengthValue is a flag that takes a length with its unit.
type lengthValue struct {
	to    *vg.Length
	alone func(vg.Length) figure.Style // the style that has only this length, which says whether it can be
}

func (v *lengthValue) String() string {
	if v.to == nil || *v.to == 0 {
		return ""
	}
	return fmt.Sprintf("%gpt", float64(*v.to))
}
func (v *lengthValue) Type() string { return "LENGTH" }
func (v *lengthValue) Set(s string) error {
	length, err := figure.ParseLength(s)
	if err == nil {
		err = v.alone(length).Validate()
	}
	if err == nil {
		*v.to = length
	}
	return err
}

// lookValue is a flag that takes the name of a look.
type lookValue figure.Look

func (v *lookValue) String() string { return figure.Look(*v).String() }
func (v *lookValue) Type() string   { return "STYLE" }
func (v *lookValue) Set(s string) error {
	look, err := figure.ParseLook(s)
	*v = lookValue(look)
	return err
}
