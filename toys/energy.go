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
		File: func(args string) string { file, _ := splitEnergy(f, args); return file },
		Parse: func(args selector.Args, _ selector.Nothing) (*Toy, error) {
			e, err := readEnergy(f, args, energies.MaxSites)
			if err != nil {
				return nil, err
			}
			return e.toy()
		},
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

// energyIn is an energy in a file, with the factor in front of it.
type energyIn struct {
	energies.Format
	*energies.Energy
	file  string
	scale float64
}

// readEnergy reads the energy that a selector names, of so many sites at most.
func readEnergy(f energies.Format, args selector.Args, sites int) (*energyIn, error) {
	file, text := splitEnergy(f, args.Text)
	if f.Name == unscaled {
		text = cmp.Or(text, "1")
	}
	scale, err := selector.ParseNumber(text)
	if err != nil || file == "" {
		return nil, args.Errorf("write %s:PATH:%s with a number behind the last colon, as in %s:%s:0.5", f.Name, f.Factor, f.Name, f.Example)
	}
	data, err := selector.ReadFile(file, energies.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.What, err)
	}
	e, err := f.ParseUpTo(data, sites)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", f.What, file, err)
	}
	return &energyIn{f, e, file, scale}, nil
}

func (e *energyIn) name() string { return fmt.Sprintf("%s:%s:%v", e.Name, e.file, e.scale) }

func (e *energyIn) describe() string {
	return fmt.Sprintf("energy read from %s, %s = %v", e.file, e.Factor, e.scale)
}

// wrap says of which file an error is; nil stays nil.
func (e *energyIn) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", e.What, e.file, err)
}

func (e *energyIn) toy() (*Toy, error) {
	space, err := grid.New(slices.Repeat([]int{2}, len(e.Numbers))...)
	if err != nil {
		return nil, e.wrap(err)
	}
	g, err := e.LogF(e.Sign * e.scale)
	if err != nil {
		return nil, e.wrap(err)
	}
	return &Toy{Name: e.name(), Description: e.describe(), Space: space, G: g, Axes: e.Axes()}, nil
}
