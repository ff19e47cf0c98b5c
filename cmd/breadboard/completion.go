package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/kernels"
	"breadboard/chains/selector"
)

// completer returns what may stand instead of a text that is being typed.
type completer func(typed string) []selector.Completion

// completeOne has a shell complete a flag that takes one value, and completeList a flag that takes
// several of them with commas between them. Both panic if there is no such flag.
func completeOne(c *cobra.Command, flag string, choices completer) {
	register(c, flag, completed(choices, false))
}

func completeList(c *cobra.Command, flag string, choices completer) {
	register(c, flag, completed(choices, true))
}

// among returns a completer that knows some choices.
func among(choices []selector.Completion) completer {
	return func(typed string) []selector.Completion { return selector.Beginning(choices, typed) }
}

// ofForms returns a completer of selectors: their names, the files and the selectors that they
// name.
func ofForms[E, T any](forms selector.Set[E, T]) completer { return beyond(forms.Listing.Complete) }

// beyond returns the completer that completes files and selectors within selectors too.
func beyond(known func(typed string, beyond selector.Beyond) []selector.Completion) completer {
	var complete completer
	complete = func(typed string) []selector.Completion {
		return known(typed, selector.Beyond{Part: complete, Files: pathsLike})
	}
	return complete
}

// ofKernels returns a completer of the selectors of kernels. A kernel within a kernel is one of the
// library.
func ofKernels[E, T any](forms selector.Set[E, T]) completer {
	return func(typed string) []selector.Completion {
		return forms.Listing.Complete(typed, selector.Beyond{Part: ofForms(kernels.Forms()), Files: pathsLike})
	}
}

// pathsLike returns the paths of the files and folders that begin with a text. Those of folders end
// in a slash, and names that begin with a point are left out unless the point has been typed. If
// nothing can be read there are none.
func pathsLike(typed string) (list []string) {
	folder, begun := filepath.Split(typed)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begun) || begun == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.IsDir() {
			name += "/"
		}
		list = append(list, folder+name)
	}
	return list
}

// offer is the value of a flag together with what completes it, until offerAll.
type offer struct {
	pflag.Value
	choose cobra.CompletionFunc
}

// register has offerAll find what completes a flag. It panics if there is no such flag.
func register(c *cobra.Command, flag string, choose cobra.CompletionFunc) {
	f := c.Flag(flag)
	if f == nil {
		panic("no flag " + flag)
	}
	f.Value = offer{f.Value, choose}
}

// offerAll gives the flags of a command and of all below it their own values back, and tells cobra
// what completes them where a shell asks. Cobra never forgets it, and with it all the commands, so
// it gets it only then.
func offerAll(c *cobra.Command, asked bool) {
	give := func(f *pflag.Flag) {
		o, is := f.Value.(offer)
		if !is {
			return
		}
		f.Value = o.Value
		if !asked {
			return
		}
		if err := c.RegisterFlagCompletionFunc(f.Name, o.choose); err != nil {
			panic(err)
		}
	}
	c.Flags().VisitAll(give)
	c.PersistentFlags().VisitAll(give)
	for _, below := range c.Commands() {
		offerAll(below, asked)
	}
}

// completing reports whether a shell asks for completions with this command line.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completedOnce has a shell complete a command that takes one of some choices as its only argument.
func completedOnce(choices completer) cobra.CompletionFunc {
	choose := completed(choices, false)
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return choose(c, args, typed)
	}
}

// completed returns the function that offers the choices for the typed text, or in a list for the
// typed text behind the last comma. The shell adds no space where all choices that it offers need
// arguments, or are folders.
func completed(choices completer, list bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if list {
			at := strings.LastIndexByte(typed, ',') + 1
			before, typed = typed[:at], typed[at:]
		}
		var out []string
		directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		for _, choice := range choices(typed) {
			out = append(out, cobra.CompletionWithDesc(before+choice.Text, choice.Doc))
			if !strings.HasSuffix(choice.Text, ":") && !strings.HasSuffix(choice.Text, "/") {
				directive = cobra.ShellCompDirectiveNoFileComp
			}
		}
		return out, directive
	}
}
