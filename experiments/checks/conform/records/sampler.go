package records

import (
	"bytes"
	"context"
	_ "embed" // the README
	"fmt"
	"path/filepath"
	"strings"
	"text/template"

	"breadboard/chains/selector"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Sampler describes a kind of checked samplers, such as sequential Monte Carlo. Its commands with
// their flags, help and completion, the folder of a task, the tables and their schemas derive from
// it.
type Sampler struct {
	Name    string   // of its commands, as in "particles"
	Is      string   // what is checked, as in "sequential Monte Carlo"
	Asks    string   // of the command, in a line
	Help    string   // what the command does, in a sentence
	Tests   string   // the distributions that are tested, as in "of log Zhat and of the output"
	More    string   // a sentence on the known ways to get it wrong; it may be empty
	Sizes   string   // which tasks are possible, in sentences for the help of spec
	Reads   string   // which columns there are, in sentences for the help of check
	Specs   []string // options of spec for its examples, each followed by a space
	Example string   // a program in experiments/checks/conform/examples, without its ending
	In      string   // the language of Example, as in "plain Python"
	Files   []string // the names of the files of each kind of records, which are flags of check
	Begin   func() *Question
	Decode  func(data []byte) (Task, error) // reads task.json, as Decoder does
}

// Question describes how to make a task. Flags write to it.
type Question struct {
	Annealing subject.Selection
	Lengths   []int // the default numbers of distributions if all parts of the annealing are flags; else nil
	Most      int   // the largest number of states of the toy
	Flags     []Flag
	Make      func(ctx context.Context, c subject.Case) (Task, error)
	// Instead is the flag with which Model makes the task, instead of an annealing; empty if there
	// is none.
	Instead string
	Model   func() (Task, error)
}

// Flag is an option of a question.
type Flag struct {
	Name, Doc string
	Value     study.Value
	Complete  func(typed string, beyond selector.Beyond) []selector.Completion // may be nil
}

// Task is a sampler to be implemented.
type Task interface {
	// Kinds returns the kinds of records, in the order of Sampler.Files.
	Kinds() []Kind
	// Laws computes all distributions. progress is called with 1 for every distribution; it may be
	// nil.
	Laws(ctx context.Context, workers int, progress func(int)) (*Laws, error)
	// Document returns the content of task.json, which begins with the Head of the sampler.
	Document() any
	// Page returns the part of the README that is special to this task.
	Page() Page
}

// Page is the part of the README that is special to a task.
type Page struct {
	Title, Setting string // what is to be implemented, and how large it is: a sentence that goes on with the names of the target
	Names          []Named
	Conventions    []string // whole sentences that say what to implement
	Numbers        string   // the content of task.json
	Rows           []string // by kind, the meaning of its rows
	Looks          string   // a paragraph before the known mistakes; it may be empty
	Ways           []string // each as NAME: MEANING
	Unseen         string   // the mistakes that are not found
}

// HeadOf returns the head of task.json for a sampler of this name.
func HeadOf(name string) Head {
	return Head{Format: "breadboard conform " + name + " task", Version: 1}
}

// Decoder returns the Decode of a sampler of this name, whose task.json is of type D. It fails if
// fields are unknown or missing, if task fails because the numbers do not form a task, and if they
// contradict the text about them.
func Decoder[D any](name string, task func(d *D) (Task, error)) func(data []byte) (Task, error) {
	return func(data []byte) (Task, error) {
		d := new(D)
		if err := decode(data, HeadOf(name), "conform "+name+" spec", d); err != nil {
			return nil, err
		}
		t, err := task(d)
		if err != nil {
			return nil, err
		}
		return t, agree(d, t.Document())
	}
}

// ReadFolder reads the task of a folder.
func (s *Sampler) ReadFolder(dir string) (Task, error) {
	path := filepath.Join(dir, TaskFile)
	data, err := selector.ReadFile(path, maxTask)
	if err != nil {
		return nil, err
	}
	task, err := s.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return task, nil
}

//go:embed readme.tmpl
var readmeText string

// Folder returns the files of the folder of a task: task.json and the README.
func (s *Sampler) Folder(t Task) ([]File, error) {
	data, err := Encode(t.Document())
	if err != nil {
		return nil, err
	}
	filled, err := template.New(ReadmeFile).Parse(readmeText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = filled.Execute(&b, struct {
		*Sampler
		Page
		Kinds []Kind
	}{s, t.Page(), t.Kinds()})
	return []File{{TaskFile, data}, {ReadmeFile, b.Bytes()}}, err
}

// CheckAll returns the arguments of check after the task, with a file of each kind.
func (s *Sampler) CheckAll() string {
	var words []string
	for _, name := range s.Files {
		words = append(words, "--"+name+" "+name+".csv")
	}
	return strings.Join(words, " ")
}
