// Package selector answers: which thing does a short text name, as "power:2" names a schedule? A Form is one way to
// write such a text, with what it means and how it is read; a Set holds the forms of everything of one kind. Parsing,
// help, errors, lists and the completion of a shell all derive from the set, so that none of them can leave a form out.
// It never knows what is named: the packages of kernels, schedules, paths and targets give it their forms.
package selector
