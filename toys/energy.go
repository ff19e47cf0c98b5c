package toys

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/grid/quotients"
	"breadboard/toys/energies"
)

// EnergyForms are the forms of toys whose energies stand in the files of other programs, one for
// each format.
func EnergyForms() (forms []func() toyForm) {
	for _, format := range energies.Formats() {
		forms = append(forms, func() toyForm { return energyForm(format) })
	}
	return forms
}

// energyForm is how such a toy is selected: NAME:PATH:FACTOR. The factor may be left out if the
// format calls it what is one by itself.
func energyForm(f energies.Format) toyForm {
	factor := ":" + f.Factor
	missing := "the path and " + f.Factor
	if optional(f) {
		factor = "[" + factor + "]"
		missing = "the path"
	}
	return toyForm{
		Syntax:  f.Name + ":PATH" + factor,
		Doc:     f.Doc,
		Source:  f.Source,
		Example: f.Name + ":" + f.Example + ":0.5",
		Missing: missing,
		File:    func(args string) string { file, _ := splitEnergy(f, args); return file },
		Parse: func(args selector.Args, _ Forms) (*Toy, error) {
			e, err := readEnergy(f, args, energies.MaxSites)
			if err != nil {
				return nil, err
			}
			return e.toy()
		},
	}
}

// optional reports whether the factor of a format may be left out: it is a size, and no sign.
func optional(f energies.Format) bool { return f.Factor == "BETA" }

// splitEnergy splits PATH:FACTOR at the last colon. Where the factor may be left out, what stands
// behind the last colon is one only where it is a number.
func splitEnergy(f energies.Format, text string) (file, factor string) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text, ""
	}
	file = text[:at]
	factor = text[at+1:]
	if _, err := selector.ParseNumber(factor); err != nil && optional(f) {
		return text, ""
	}
	return file, factor
}

// Energy is an energy in a file, with the factor in front of it.
type Energy struct {
	energies.Format
	*energies.Energy
	file  string
	scale float64
	// says that no factor is given, and whether the least or the largest energy is sought; empty if
	// there is a factor
	Doubt string
}

// orNone returns nil instead of an energy with the factor zero.
func (e *Energy) orNone() *Energy {
	if e == nil || e.scale == 0 {
		return nil
	}
	return e
}

// sign is that of the factor with which log f grows with the energy.
func (e *Energy) sign() float64 {
	if e.Sign*e.scale < 0 {
		return -1
	}
	return 1
}

// Problem names what is looked for: the least, or the largest, energy of the file, which does not
// depend on the size of the factor.
func (e *Energy) Problem() string { return fmt.Sprintf("%s:%s:%v", e.Name, e.file, e.sign()) }

// Quadratic returns the function of variables that are 0 or 1 that is least where log f is largest:
// the energy, or minus the energy, up to a constant. Fields has the weight of each variable, and
// pairs[i][j] that of each pair i > j.
func (e *Energy) Quadratic() (fields []float64, pairs [][]float64) { return e.Binary(-e.sign()) }

// Beta returns the factor of the function of Quadratic in -log f.
func (e *Energy) Beta() float64 { return math.Abs(e.scale) }

// readEnergy reads the energy that a selector names, of that many sites at most.
func readEnergy(f energies.Format, args selector.Args, sites int) (*Energy, error) {
	file, factor := splitEnergy(f, args.Text)
	text := factor
	if optional(f) {
		text = cmp.Or(factor, "1")
	}
	scale, err := selector.ParseNumber(text)
	if err != nil || file == "" {
		return nil, args.Errorf("write %s:PATH:%s with a number behind the last colon, as in %s:%s:0.5",
			f.Name, f.Factor, f.Name, f.Example)
	}
	data, err := selector.ReadFile(file, energies.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.What, err)
	}
	e, err := f.ParseUpTo(data, sites)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", f.What, file, err)
	}
	out := &Energy{Format: f, Energy: e, file: file, scale: scale}
	if factor == "" && f.Value() == "energy" {
		aim := "minimised"
		other := "maximised"
		if out.sign() > 0 {
			aim, other = other, aim
		}
		out.Doubt = fmt.Sprintf(
			"%s:%s has no %s, which is then 1, so that the energy is %s; with %[3]s below zero it is %[5]s",
			f.Name,
			file,
			f.Factor,
			aim,
			other,
		)
	}
	return out, nil
}

// About says in a few words which problem it is.
func (e *Energy) About() string { return e.Format.About(e.Energy, e.scale) }

func (e *Energy) name() string { return fmt.Sprintf("%s:%s:%v", e.Name, e.file, e.scale) }

func (e *Energy) describe() string {
	return fmt.Sprintf("%s; read from %s as %s, %s = %v", e.About(), e.file, e.What, e.Factor, e.scale)
}

// wrap says of which file an error is; nil stays nil.
func (e *Energy) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", e.What, e.file, err)
}

func (e *Energy) toy() (*Toy, error) {
	space, err := grid.New(slices.Repeat([]int{2}, len(e.Names))...)
	if err != nil {
		return nil, e.wrap(err)
	}
	g, err := e.LogF(e.Sign * e.scale)
	if err != nil {
		return nil, e.wrap(err)
	}
	return &Toy{
		Name:        e.name(),
		Description: e.describe(),
		Space:       space,
		G:           g,
		Axes:        e.Axes(),
		Energy:      e.orNone(),
		Doubt:       e.Doubt,
	}, nil
}

// InFile returns the energy in a file that log f is proportional to, and the values of its
// variables at a state. If the state is a class, the values are those of its first member. It
// returns nil if there is no such energy.
func (t *Toy) InFile(state int) (e *Energy, x []uint8) {
	if t.states != nil {
		state = t.Space.(*quotients.Classes).First(state)
		t = t.states
	}
	if t.Energy == nil {
		return nil, nil
	}
	for axis := range t.Energy.Names {
		x = append(x, uint8(t.Lattice().Coord(state, axis)))
	}
	return t.Energy, x
}
