package matrices

import (
	"encoding/json"
	"fmt"
	"regexp"
)

// umbIndex is what the index of a UMB file says, as far as it is read or written here. What a schema requires is a pointer, so that its absence
// is seen.
type umbIndex struct {
	Version     *uint64                             `json:"format-version"`
	Revision    *uint64                             `json:"format-revision"`
	Model       struct{}                            `json:"model-data"`
	File        umbTool                             `json:"file-data"`
	System      *umbSystem                          `json:"transition-system"`
	Annotations map[string]map[string]umbAnnotation `json:"annotations,omitempty"`
}

// umbTool says what has written a file.
type umbTool struct {
	Tool string `json:"tool,omitempty"`
}

// umbSystem says what a model is, and how large.
type umbSystem struct {
	Time          string   `json:"time"`
	Players       *uint64  `json:"#players"`
	States        *uint64  `json:"#states"`
	InitialStates *uint64  `json:"#initial-states"`
	Choices       *uint64  `json:"#choices"`
	ChoiceActions uint64   `json:"#choice-actions"`
	Branches      *uint64  `json:"#branches"`
	BranchActions uint64   `json:"#branch-actions"`
	Observations  uint64   `json:"#observations"`
	Probability   *umbType `json:"branch-probability-type,omitempty"`
	ExitRate      *umbType `json:"exit-rate-type,omitempty"`
}

// umbType is the type of values, with the bits that each takes where they are given.
type umbType struct {
	Type string `json:"type"`
	Size uint64 `json:"size,omitempty"`
}

// umbAnnotation is a value for each state, choice or branch.
type umbAnnotation struct {
	Alias       string   `json:"alias,omitempty"`
	AppliesTo   []string `json:"applies-to"`
	Type        umbType  `json:"type"`
	Probability *umbType `json:"probability-type,omitempty"`
}

// The groups of annotations that are read and written, and what they apply to.
const (
	umbLabels   = "aps"
	umbRewards  = "rewards"
	umbOfStates = "states"
)

// umbIdentifier is what the name of an annotation is in the names of its files.
var umbIdentifier = regexp.MustCompile(`^[0-9a-z_-]+$`)

// parseUMBIndex reads the index of a UMB file, and refuses what is no chain in discrete time, or larger than the caller allows.
func parseUMBIndex(data []byte, most int) (*umbIndex, error) {
	var index umbIndex
	if err := json.Unmarshal(data, &index); err != nil {
		return nil, fmt.Errorf("it is no index of a UMB file (%w)", err)
	}
	s := index.System
	switch {
	case index.Version == nil:
		return nil, fmt.Errorf("format-version is missing; it is 1 in the files that can be read")
	case *index.Version != 1:
		return nil, fmt.Errorf("the format has version %d, and only version 1 can be read; export the model again with a tool that writes it", *index.Version)
	case s == nil:
		return nil, fmt.Errorf("transition-system is missing; it says how large the model is")
	case s.Time == "stochastic":
		return nil, fmt.Errorf("the model is a Markov chain in continuous time; only discrete time can be read")
	case s.Time != "discrete":
		return nil, fmt.Errorf("the time of the model is %q, and only discrete can be read", s.Time)
	}
	for name, v := range map[string]*uint64{"#players": s.Players, "#states": s.States, "#initial-states": s.InitialStates, "#choices": s.Choices, "#branches": s.Branches} {
		if v == nil {
			return nil, fmt.Errorf("%s of transition-system is missing; every file has it", name)
		}
	}
	switch players := *s.Players; {
	case players == 1:
		return nil, fmt.Errorf("the model has a player, as a Markov decision process; only chains can be read, which have none")
	case players > 1:
		return nil, fmt.Errorf("the model is a game of %d players; only chains can be read, which have none", players)
	}
	if err := fits(*s.States, uint64(most)); err != nil {
		return nil, err
	}
	if *s.Choices != *s.States {
		return nil, fmt.Errorf("%d states have %d choices; a chain has one in each state", *s.States, *s.Choices)
	}
	if *s.Branches > maxBranches {
		return nil, fmt.Errorf("there are %d branches, and at most %d can be read; is it the right file?", *s.Branches, maxBranches)
	}
	if s.Probability == nil {
		return nil, fmt.Errorf("branch-probability-type is missing; a chain has probabilities")
	}
	return &index, s.Probability.continuous("branch-probability-type")
}

// maxBranches bounds the memory that a UMB file may take: 16 bytes and more for each branch.
const maxBranches = 1 << 25

// bits returns the size of a value of the type.
func (t umbType) bits() uint64 {
	if t.Size > 0 {
		return t.Size
	}
	return map[string]uint64{"rational": 128, "double": 64}[t.Type]
}

// maxRational is the largest number of bits of a fraction that is read.
const maxRational = 1 << 12

// continuous fails where the values of the type are no numbers that can be read.
func (t umbType) continuous(what string) error {
	switch bits := t.bits(); {
	case t.Type == "double-interval" || t.Type == "rational-interval":
		return fmt.Errorf("%s is %s; only models with one probability for each branch can be read", what, t.Type)
	case t.Type != "double" && t.Type != "rational":
		return fmt.Errorf("%s is %q; it is double or rational in the files that can be read", what, t.Type)
	case t.Type == "double" && bits != 64:
		return fmt.Errorf("%s is double of %d bits; a double has 64", what, bits)
	case t.Type == "rational" && (bits%128 != 0 || bits > maxRational):
		return fmt.Errorf("%s is rational of %d bits; it has a multiple of 128, of at most %d", what, bits, maxRational)
	}
	return nil
}
