import java.io.*;
import java.nio.file.*;
import java.util.Base64;

/** Reads a receipt from each line, in base64, and prints whether the program of the document accepts it. */
final class Main {
    public static void main(String[] arguments) throws IOException {
        String keys = Files.readString(Path.of("keys.json"));
        for (String line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
            String receipt = new String(Base64.getDecoder().decode(line));
            System.out.println(isValid(receipt, keys) ? "valid" : "invalid");
        }
    }

    static boolean isValid(String receipt, String keys) {
        try {
            return Receipts.member(Receipts.claimsOf(receipt, keys), "id").equals("ent_1");
        } catch (Exception fault) {
            return false;
        }
    }
}
