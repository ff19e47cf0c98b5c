package page

import (
	"html/template"
	"time"

	"breadboard/reports"
)

// Page is a report with all that it shows.
type Page struct {
	Title    string
	Made     time.Time // when the page was made
	Version  string    // of the program that has made it
	Command  string    // the command line that has made it
	Sections []Section
}

// Section is what the page shows of a run, of a sweep, or of a single file.
type Section struct {
	ID    string
	Title string
	// Facts say how the results were made: each is a name and what it is.
	Facts []Fact
	// Settings are the values of all flags, those too that were not given.
	Settings []Fact
	Inputs   []reports.RunInput
	Partial  bool   // whether the run was interrupted
	Fault    string // why a run has failed although it has results; empty where it has not
	Notes    []string
	Missing  []string // what cannot be shown, and why
	Tables   []*Table
	Figures  []Figure
}

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// Figure is a drawing with its data.
type Figure struct {
	ID      string
	Title   string
	File    string        // the name of its file
	About   string        // what it shows, as the drawing itself says it
	Picture template.HTML // from cleanPicture
	Data    *Table        // what is drawn; nil where no file has it
}
