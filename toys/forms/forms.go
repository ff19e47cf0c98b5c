// Package forms composes the sets of forms of targets, which everything that reads selectors is
// given.
package forms

import (
	"slices"

	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/toys"
	"breadboard/toys/networks"
)

// Targets returns all forms of targets, and of where and how annealing goes to them, in the order
// in which they are listed.
func Targets() toys.Forms {
	files := toys.NetworkForms()
	return toys.Forms{
		Targets: selector.NewSet("toy",
			slices.Concat(toys.GridForms(), toys.EnergyForms(), toys.ModelForms(), files)...),
		Products:   toys.FactorForms(),
		Networks:   selector.NewSet("toy", files...).Listing,
		Initials:   toys.InitialForms(),
		Paths:      paths.Forms(),
		Recognised: toys.Recognised,
		Open:       networks.Open,
		Levels:     (*networks.Query).CountLevels,
		ReadOn:     toys.ReadOn,
	}
}
