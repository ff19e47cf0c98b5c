package selector

import (
	"slices"
	"strings"
)

// Beyond completes arguments of selectors that name something else.
type Beyond struct {
	Part  func(typed string) []Completion // completes a selector within a selector, as that of the kernel in lazy:P:KERNEL; may be nil
	Files func(typed string) []string     // lists the paths that begin with a text; may be nil
}

// Complete returns the completions of a selector that is being typed: names, and after the name of
// a form the files, selectors and fixed words that its Syntax allows there.
func (s *Listing) Complete(typed string, beyond Beyond) []Completion {
	name, args, given := strings.Cut(typed, ":")
	if !given {
		return Beginning(s.Completions(), typed)
	}
	_, f, known := s.find(name)
	if !known || !f.takesArguments() {
		return nil
	}
	offered := completeArguments(placesOf(f.Syntax), args, beyond)
	for i := range offered {
		offered[i].Text = name + ":" + offered[i].Text
	}
	return offered
}

// Beginning returns the choices that begin with a text.
func Beginning(choices []Completion, typed string) []Completion {
	return slices.DeleteFunc(slices.Clone(choices), func(c Completion) bool { return !strings.HasPrefix(c.Text, typed) })
}

// Plain returns names as choices without a description.
func Plain(names []string) []Completion {
	list := make([]Completion, len(names))
	for i, name := range names {
		list[i].Text = name
	}
	return list
}

// places are the names of a form's arguments, such as P and KERNEL, and how many of them are
// required.
type places struct {
	names    []string
	required int
}

// placesOf reads a syntax.
func placesOf(syntax string) places {
	arguments := strings.TrimPrefix(syntax, NameOf(syntax))
	required, _, _ := strings.Cut(arguments, "[")
	bare := strings.NewReplacer("[", "", "]", "").Replace(arguments)
	return places{names: strings.Split(strings.Trim(bare, ":"), ":"), required: strings.Count(required, ":")}
}

// completeArguments returns the completions of arguments that are being typed.
func completeArguments(p places, args string, beyond Beyond) []Completion {
	last := len(p.names) - 1
	switch {
	case p.names[0] == "PATH" && !strings.Contains(args, ":"):
		return completePath("", args, beyond.Files)
	case strings.HasSuffix(p.names[last], "..."):
		return completeTerm(p.names[last], args, beyond.Part)
	case p.names[last] == "PATH":
		before, path := "", args
		if first, rest, more := strings.Cut(args, ":"); more && last == 1 {
			if _, err := ParseNumber(first); err == nil {
				before, path = first+":", rest
			}
		}
		return completePath(before, path, beyond.Files)
	case slices.Contains(partNames(), p.names[last]) && strings.Count(args, ":") >= last:
		before, part := splitAt(args, last)
		return completePart(before, part, beyond.Part)
	}
	return completeWord(p, args)
}

// partNames returns the names by which a syntax refers to a selector within a selector.
func partNames() []string { return []string{"KERNEL", "TOY", "ESTIMATOR"} }

// splitAt splits arguments after the given number of colons.
func splitAt(args string, colons int) (before, rest string) {
	at := 0
	for range colons {
		at += strings.Index(args[at:], ":") + 1
	}
	return args[:at], args[at:]
}

// completeTerm completes the last of several selectors joined by plus signs, each after its weight
// and a star if the syntax has them.
func completeTerm(syntax, args string, part func(string) []Completion) []Completion {
	at := strings.LastIndexByte(args, '+') + 1
	if strings.Contains(syntax, "*") {
		star := strings.LastIndexByte(args, '*') + 1
		if star <= at {
			return nil // a weight is being typed
		}
		at = star
	}
	return completePart(args[:at], args[at:], part)
}

func completePart(before, typed string, part func(string) []Completion) []Completion {
	if part == nil {
		return nil
	}
	offered := part(typed)
	for i := range offered {
		offered[i].Text = before + offered[i].Text
	}
	return offered
}

func completePath(before, typed string, files func(string) []string) (offered []Completion) {
	if files == nil {
		return nil
	}
	for _, path := range files(typed) {
		offered = append(offered, Completion{Text: before + path})
	}
	return offered
}

// completeWord completes an argument that is a fixed word, as torus in ising:RxC:J[:FIELD][:torus].
// Optional arguments are skipped.
func completeWord(p places, args string) (offered []Completion) {
	at := strings.Count(args, ":")
	if at < p.required {
		return nil
	}
	before, typed := splitAt(args, at)
	for _, place := range p.names[min(at, len(p.names)):] {
		for word := range strings.SplitSeq(place, "|") {
			if word != "" && word == strings.ToLower(word) && strings.HasPrefix(word, typed) {
				offered = append(offered, Completion{Text: before + word})
			}
		}
	}
	return offered
}
