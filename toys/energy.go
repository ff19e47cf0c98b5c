package toys

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/toys/energies"
)

// energyForms are the forms of toys whose energies stand in the files of other programs, one for each format.
func energyForms() (forms []func() toyForm) {
	for _, format := range energies.Formats() {
		forms = append(forms, func() toyForm { return energyForm(format) })
	}
	return forms
}

// energyForm is how such a toy is selected: NAME:PATH:FACTOR. The factor may be left out where the format calls it what is one by itself.
func energyForm(f energies.Format) toyForm {
	factor := ":" + f.Factor
	if f.Name == unscaled {
		factor = "[" + factor + "]"
	}
	return toyForm{
		Syntax: f.Name + ":PATH" + factor, Doc: f.Doc, Source: f.Source, Example: f.Name + ":" + f.Example + ":0.5", Missing: "the path and " + f.Factor,
		File:  func(args string) string { file, _ := splitEnergy(f, args); return file },
		Parse: func(args selector.Args, _ selector.Nothing) (*Toy, error) { return readEnergy(f, args) },
	}
}

// unscaled is the format whose factor may be left out: its weights are in nats.
const unscaled = "ising-file"

// splitEnergy splits PATH:FACTOR at the last colon. Where the factor may be left out, what stands behind the last colon is one only
// where it is a number.
func splitEnergy(f energies.Format, text string) (file, factor string) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text, ""
	}
	file, factor = text[:at], text[at+1:]
	if _, err := selector.ParseNumber(factor); err != nil && f.Name == unscaled {
		return text, ""
	}
	return file, factor
}

func readEnergy(f energies.Format, args selector.Args) (*Toy, error) {
	file, text := splitEnergy(f, args.Text)
	if f.Name == unscaled {
		text = cmp.Or(text, "1")
	}
	factor, err := selector.ParseNumber(text)
	if err != nil || file == "" {
		return nil, args.Errorf("write %s:PATH:%s with a number behind the last colon, as in %s:%s:0.5", f.Name, f.Factor, f.Name, f.Example)
	}
	data, err := selector.ReadFile(file, energies.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.What, err)
	}
	e, err := f.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", f.What, file, err)
	}
	return ofEnergy(f, file, factor, e)
}

func ofEnergy(f energies.Format, file string, factor float64, e *energies.Energy) (*Toy, error) {
	sides := slices.Repeat([]int{2}, len(e.Numbers))
	space, err := grid.New(sides...)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", f.What, file, err)
	}
	g, err := e.LogF(f.Sign * factor)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", f.What, file, err)
	}
	return &Toy{
		Name: fmt.Sprintf("%s:%s:%v", f.Name, file, factor), Description: fmt.Sprintf("energy read from %s, %s = %v", file, f.Factor, factor),
		Space: space, G: g, Axes: e.Axes(),
	}, nil
}
