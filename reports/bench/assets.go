package bench

import "embed"

// assets are the page, its style and its modules, as the browser gets them: nothing is built and nothing is fetched from elsewhere.
// index.html is a template of html/template, which is given a page.
//
//go:embed assets
var assets embed.FS

// page is what index.html is made with.
type page struct {
	Version  string    // the version of the program, as breadboard version prints it
	Controls []control // the parameters that are selectors, in the order of the page
	Studies  []study   // the sections whose figures the server draws
}

// control is an input of the page for a selector.
type control struct {
	Name  string // the parameter of the API
	Title string // what it is to people
}

// study is a section of the page that follows the numbers.
type study struct {
	Name  string // its route in the API
	Title string
	Says  string // a sentence on what its figure shows
}

// newPage is the page of a server of this version.
func newPage(version string) page {
	return page{
		Version: version,
		Controls: []control{
			{"toy", "Target"},
			{"schedule", "Schedule"},
			{"kernel", "Kernel"},
			{"path", "Path"},
			{"initial", "Initial distribution"},
		},
		Studies: []study{
			{"gap", "Where the bound loses", "What each stage adds to B, less what it adds to J."},
			{"curve", "J and B against T", "How both fall as the annealing gets slower. The line shows the T of the page."},
			{"law", "The law of the log weight", "How log w is distributed in both directions, and how often one pair of chains would report less than J."},
			{"samples", "What more chains gain", "The bounds on log Z from the mean of K weights."},
			{"spectrum", "How fast the kernel mixes", "The spectral gap of the kernel at each inverse temperature."},
		},
	}
}
