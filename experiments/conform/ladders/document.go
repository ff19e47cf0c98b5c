package ladders

import (
	_ "embed" // the README

	"breadboard/chains/tempering"
	"breadboard/experiments/conform/records"
)

// head is what stands at the beginning of task.json.
func head() records.Head {
	return records.Head{Format: "breadboard conform tempering task", Version: 1}
}

// document is what task.json holds.
type document struct {
	records.Head

	Target []records.Named `json:"target"` // for people; what counts are the numbers

	Scheme    string      `json:"scheme"`
	Betas     []float64   `json:"betas"`
	States    int         `json:"states"`
	Scans     int         `json:"scans"`
	LongScans int         `json:"long_scans"`
	LogZRatio float64     `json:"log_z_ratio"`
	Runs      []string    `json:"columns_of_runs"`
	Trips     []string    `json:"columns_of_trips"`
	Says      []string    `json:"conventions"`
	LogF      [][]float64 `json:"logf"`
	Propose   [][]float64 `json:"proposals"`
}

// document returns what task.json is to hold.
func (t *Task) document() document {
	kinds := t.Kinds()
	d := document{
		Head: head(), Scheme: string(t.Scheme), Betas: t.Betas, States: t.States(), Scans: t.Scans, LongScans: t.Long, LogZRatio: t.LogZRatio(),
		Runs: kinds[0].Columns(), Trips: kinds[1].Columns(), Says: t.conventions(), LogF: t.LogF, Propose: t.Propose,
	}
	for _, p := range t.Names {
		if p.Name == "toy" || p.Name == "initial" {
			d.Target = append(d.Target, records.Named(p))
		}
	}
	return d
}

// Decode reads task.json. It fails where fields are unknown or missing, where the numbers are none of a task, and where they do not agree with
// what is written about them.
func Decode(data []byte) (*Task, error) {
	var d document
	if err := records.Decode(data, head(), "conform tempering spec", &d); err != nil {
		return nil, err
	}
	t := &Task{Names: records.ParamsOf(d.Target), Scheme: tempering.Scheme(d.Scheme), Betas: d.Betas, LogF: d.LogF, Propose: d.Propose, Scans: d.Scans, Long: d.LongScans}
	if err := t.check(); err != nil {
		return nil, err
	}
	return t, records.Agree(d, t.document())
}

// ReadFolder reads the task of a folder.
func ReadFolder(dir string) (*Task, error) { return records.ReadFolder(dir, Decode) }

// Files returns the files of the folder.
func (t *Task) Files() ([]records.File, error) {
	return records.Files(t.document(), readmeText, readmePage{t.document(), t.Kinds(), ways()})
}

// conventions are whole sentences that say what to implement, which the README has too.
func (t *Task) conventions() []string {
	offers := "Scans 1, 3, ... offer a swap to the even pairs, which are pairs 0, 2, ..., and scans 2, 4, ... to the odd pairs, which are pairs 1, 3, ..."
	if t.Scheme == tempering.SEO {
		offers = "In each scan a fair coin says whether a swap is offered to the even pairs, which are pairs 0, 2, ..., or to the odd pairs, which are pairs 1, 3, ..."
	}
	return []string{
		"States, rungs and pairs are numbered from 0, and scans from 1. Rung i has the density f at b_i, with log f = (1 - b_i) log f_0 + b_i log f_1. Pair i has the rungs i and i+1. Logarithms are natural.",
		"A run begins with a replica at each rung, whose state is an exact draw of the density there, independently of the others.",
		"A scan explores and then swaps. Exploring, the replica at every rung makes one move of Metropolis: from x it proposes y with the probability given, and accepts with probability min(1, f(y)/f(x)), by f at its rung.",
		offers + " Each of them is accepted, independently, with probability a = min(1, exp((b_(i+1) - b_i) (g(x) - g(y)))), where x is at rung i, y at rung i+1, both after exploring, and g = log f_1 - log f_0. An accepted swap exchanges the states.",
		"What is recorded of a scan is recorded after its swaps.",
		"log Zhat is the sum, over the pairs i, of the log of the mean of exp((b_(i+1) - b_i) g(x)), over the states x that stood at rung i after each of the scans of the run.",
		"For round trips replicas have a label, which travels with their state. At the beginning it is down for the replica at the top rung and up for all others. A replica that comes to the top rung is down. When a replica that is down comes to rung 0 it is up again, and has completed a round trip. Trips of all replicas count.",
		"Runs are independent, and each row of a file is one run."}
}

//go:embed readme.tmpl
var readmeText string

// readmePage is what the template of the README is filled with.
type readmePage struct {
	document
	Kinds []records.Kind
	Ways  []way
}
