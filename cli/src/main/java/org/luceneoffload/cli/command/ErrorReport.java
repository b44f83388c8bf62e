/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;
import java.util.Set;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.LevenshteinAutomata;
import org.luceneoffload.cli.output.Json;
import org.luceneoffload.cli.output.OutputClosedException;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.workload.InputException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The one place where an exception becomes a message and an exit code. */
public final class ErrorReport implements IExecutionExceptionHandler, IParameterExceptionHandler {
  @Override
  public int handleExecutionException(Exception thrown, CommandLine command, ParseResult parsed)
      throws Exception {
    Throwable e = firstOf(thrown);
    if (!(command.getCommand() instanceof OffloadCommand failed)) {
      throw thrown; // picocli's own commands, such as help
    } else if (e instanceof OutputClosedException) {
      return ExitCodes.OUTPUT_CLOSED; // nobody is there to be told
    }
    int code = e instanceof Failure failure ? failure.exitCode() : ExitCodes.FAILURE;
    String message = sentence(e);
    printMessage(command, message);
    if (failed.json()) {
      failed.printProblem(new OffloadCommand.Problem(message, code));
    }
    if (failed.verbose()) {
      e.printStackTrace(command.getErr());
    } else if (isInternal(e)) {
      command.getErr().println("This is a defect of the tool; --verbose shows where.");
    }
    return code;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    // The command line could not be read, so its --json has to be looked for by hand.
    boolean json = Arrays.asList(args).contains("--json");
    String message = noCommand(e);
    message = message == null ? e.getMessage() : message;
    printMessage(command, message);
    if (json) {
      Json.print(new OffloadCommand.Problem(message, ExitCodes.USAGE), command.getOut());
    }
    command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCodes.USAGE;
  }

  /** Returns what to say of a first argument that is no command; null if there is no such. */
  private static String noCommand(ParameterException e) {
    if (e.getCommandLine().getParent() != null
        || !(e instanceof UnmatchedArgumentException unmatched)
        || unmatched.isUnknownOption()) {
      return null;
    }
    String name = unmatched.getUnmatched().get(0);
    String near = nearest(name, e.getCommandLine().getSubcommands().keySet());
    return "no command '" + name + "'" + (near == null ? "" : "; did you mean '" + near + "'?");
  }

  /** Returns the word that takes the fewest edits, and at most two; null if all take more. */
  private static String nearest(String name, Set<String> words) {
    LevenshteinAutomata automata = new LevenshteinAutomata(name, true);
    for (int edits = 1; edits <= LevenshteinAutomata.MAXIMUM_SUPPORTED_DISTANCE; edits++) {
      CharacterRunAutomaton within = new CharacterRunAutomaton(automata.toAutomaton(edits));
      for (String word : words) {
        if (within.run(word)) {
          return word;
        }
      }
    }
    return null;
  }

  private static void printMessage(CommandLine command, String message) {
    PrintWriter err = command.getErr();
    err.println("offload: " + Printable.lines(message));
    err.flush();
  }

  /**
   * Returns what closed a writer, if an exception says no more than that one is closed; the
   * exception if not. An error on one thread of Lucene closes the writer for all others, and one of
   * them may be the first to speak.
   */
  public static Throwable firstOf(Throwable e) {
    return e instanceof AlreadyClosedException && e.getCause() != null ? e.getCause() : e;
  }

  private static boolean isInternal(Throwable e) {
    boolean isUnchecked = e instanceof RuntimeException || e instanceof Error;
    return isUnchecked && !(e instanceof Failure || e instanceof InputException);
  }

  /** Returns a sentence for an exception that no service has put into words. */
  public static String sentence(Throwable e) {
    if (e instanceof FileSystemException file && isWriteLock(file.getFile())) {
      return cannotLock(file);
    }
    String message = e.getMessage();
    return switch (e) {
      case Failure f -> message;
      case InputException f -> message;
      case NoSuchFileException f -> "no such file or directory: " + f.getFile();
      case AccessDeniedException f -> "no permission: " + f.getFile();
      case FileAlreadyExistsException f -> "it is there already: " + f.getFile();
      case NotDirectoryException f -> "not a directory: " + f.getFile();
      case FileSystemException f ->
          f.getFile() + ": " + (f.getReason() == null ? f.getClass().getName() : f.getReason());
      case IndexNotFoundException f -> "no index there: " + message;
      case IndexFormatTooNewException f -> "written by a later Lucene: " + message;
      case IndexFormatTooOldException f -> "written by an earlier Lucene: " + message;
      case CorruptIndexException f -> "the index is damaged: " + message + causeOf(f);
      case LockObtainFailedException f -> "another process is writing the index: " + message;
      case OffloadException f -> "device: " + message;
      case IOException f -> message == null ? e.toString() : message;
      default -> "internal error: " + e;
    };
  }

  /**
   * Returns what Lucene has wrapped, such as the file that is missing; nothing if it wrapped
   * nothing.
   */
  private static String causeOf(CorruptIndexException e) {
    Throwable cause = e.getCause();
    return cause instanceof IOException && cause.getMessage() != null ? ": " + sentence(cause) : "";
  }

  private static boolean isWriteLock(String file) {
    return file != null && file.endsWith("/" + IndexWriter.WRITE_LOCK_NAME);
  }

  /**
   * Returns what keeps the index from being written. If Lucene could not make the file, the
   * exception gives no reason.
   */
  private static String cannotLock(FileSystemException e) {
    return "the index cannot be written: "
        + (e.getReason() == null
            ? "no permission to make or write " + e.getFile()
            : e.getFile() + ": " + e.getReason());
  }
}
